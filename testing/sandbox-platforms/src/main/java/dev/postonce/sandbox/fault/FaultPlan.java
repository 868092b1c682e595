package dev.postonce.sandbox.fault;

import java.util.Map;

/** The faults of all platforms, and the seed that decides which requests they hit. */
public record FaultPlan(long seed, Map<String, FaultSettings> platforms) {

    public static final FaultPlan NONE = new FaultPlan(0, Map.of());

    public FaultPlan {
        platforms = Map.copyOf(platforms);
    }

    public static FaultPlan of(long seed, String platform, FaultSettings settings) {
        return new FaultPlan(seed, Map.of(platform, settings));
    }

    public FaultSettings of(String platform) {
        return platforms.getOrDefault(platform, FaultSettings.NONE);
    }
}
