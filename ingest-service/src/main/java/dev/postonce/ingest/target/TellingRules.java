package dev.postonce.ingest.target;

import dev.postonce.contract.DispatchState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which of a batch of new states the upstream is told. Plain rules. */
final class TellingRules {

    private TellingRules() {}

    /**
     * What an upstream learns of a target by a callback.
     *
     * @param taskVersion that the target should show; a new one is news, also where it looks like the one before
     */
    record Said(String status, long taskVersion, @Nullable String platformUrl, @Nullable String errorCode) {

        static Said of(DispatchState target) {
            return new Said(target.state(), target.taskVersion(), target.platformUrl(), target.errorCode());
        }
    }

    /** The last state of each target: what it is now. */
    static Collection<TargetEvent> newest(List<TargetEvent> fresh) {
        Map<String, TargetEvent> newest = new LinkedHashMap<>();
        fresh.forEach(event -> newest.put(event.key(), event));
        return newest.values();
    }

    /** The last state of each target in which it rests, in the order in which they came. */
    static List<TargetEvent> resting(List<TargetEvent> fresh) {
        Map<String, TargetEvent> resting = new LinkedHashMap<>();
        for (TargetEvent event : fresh) {
            if (event.state().callsBack()) {
                resting.remove(event.key());
                resting.put(event.key(), event);
            }
        }
        return new ArrayList<>(resting.values());
    }

    /**
     * What says something else than what was said last. A look-up that confirms a post again raises the target's version
     * and tells the upstream nothing. The target's row is not asked: intake notes there which version is to be shown
     * long before it is.
     *
     * @param fresh rising versions of each target, as they passed the gate
     * @param said what was told last of each target, by its key; nothing where nothing was told yet
     */
    static List<TargetEvent> told(List<TargetEvent> fresh, Map<String, Said> said) {
        return resting(fresh).stream()
                .filter(event -> !Said.of(event.data()).equals(said.get(event.key())))
                .toList();
    }
}
