package dev.postonce.standalone.up;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.FileTrees;
import dev.postonce.standalone.infra.OldImages;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code postonce prepare}. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description = {
            "Make later starts faster: start everything once on a home that is thrown away, and keep the class archives.",
            "预热：生成类归档，使以后的启动更快。"
        },
        footer = {
            "",
            "./postonce does it after each build that it makes. Nothing depends on it.",
            "Exit codes: 0 done or already done, 5 the stack did not start, 6 an archive could not be made."
        })
public final class PrepareCommand implements Callable<Integer> {

    private static final Duration UNTIL_HEALTHY = Duration.ofSeconds(240);

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Distribution distribution = Distribution.find();
        Path apps = distribution.apps(common.home());
        Files.createDirectories(apps);
        List<ClassArchive> archives = archives(distribution, apps);
        if (archives.stream().allMatch(ClassArchive::exists)) {
            say("prepared already 已就绪");
            return ExitCodes.OK;
        }
        StandaloneHome home = new StandaloneHome(Files.createTempDirectory("postonce-prepare-"));
        try {
            run(home);
        } catch (StartFailedException e) {
            say(e.getMessage());
            return ExitCodes.START_FAILED;
        } finally {
            FileTrees.delete(home.root());
        }
        return keep(archives);
    }

    private List<ClassArchive> archives(Distribution distribution, Path apps) throws IOException {
        List<ClassArchive> archives = new ArrayList<>();
        archives.add(ClassArchive.ofClassPath(apps, Distribution.ownClassPath(apps)));
        for (Part part : Part.services()) {
            distribution.requireBuilt(part);
            archives.add(ClassArchive.of(distribution.image(part, apps), apps));
        }
        for (ClassArchive archive : archives) {
            Files.createDirectories(archive.directory());
        }
        return archives;
    }

    private void run(StandaloneHome home) {
        List<Instance> services = Part.services().stream().map(Instance::first).toList();
        try (OwnedStack stack =
                OwnedStack.start(home, StackPorts.free(), services, StartMode.PREPARE, System.getenv(), this::say)) {
            stack.awaitHealthy(UNTIL_HEALTHY);
            say("writing class archives; this takes longer than the start did 正在写入类归档");
        } catch (IllegalStateException e) {
            throw new StartFailedException(e.getMessage());
        }
    }

    private int keep(List<ClassArchive> archives) throws IOException {
        int missing = 0;
        for (ClassArchive archive : archives) {
            missing += archive.keep() ? 0 : 1;
            String program = archive.program();
            new OldImages(archive.apps(), InstantSource.system())
                    .delete(program.substring(0, program.lastIndexOf('-')), archive.directory());
        }
        say(missing == 0 ? "prepared 已完成" : missing + " of " + archives.size() + " archives could not be made");
        return missing == 0 ? ExitCodes.OK : ExitCodes.ERROR;
    }

    private void say(@Nullable String line) {
        if (spec == null) {
            throw new IllegalStateException("picocli injects the spec");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(common.json() ? EventJson.write(Map.of("progress", line == null ? "" : line)) : line);
        out.flush();
    }
}
