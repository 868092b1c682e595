package dev.postonce.systemtests.harness;

import dev.postonce.standalone.infra.FileTrees;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A directory that has a disk of its own, which a ballast file can fill. Needs the right to mount. */
public final class SmallDisk implements AutoCloseable {

    private static final byte[] BLOCK = new byte[64 * 1024];

    private final Path directory;
    private final Path moved;
    private final Path mount;

    private SmallDisk(Path directory, Path moved, Path mount) {
        this.directory = directory;
        this.moved = moved;
        this.mount = mount;
    }

    /** Empty where nothing may be mounted. Nobody may work in the directory meanwhile. */
    public static Optional<SmallDisk> under(Path directory, int mebibytes) {
        Path mount = directory.resolveSibling(directory.getFileName() + "-small");
        Path moved = directory.resolveSibling(directory.getFileName() + "-moved");
        try {
            Files.createDirectories(mount);
            if (run("mount", "-t", "tmpfs", "-o", "mode=0700,size=" + mebibytes + "m", "tmpfs", mount.toString())
                    != 0) {
                Files.delete(mount);
                return Optional.empty();
            }
            if (run("cp", "-a", directory + "/.", mount.toString()) != 0) {
                run("umount", mount.toString());
                throw new IOException(directory + " does not fit into " + mebibytes + " MiB");
            }
            Files.move(directory, moved);
            Files.createSymbolicLink(directory, mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.of(new SmallDisk(directory, moved, mount));
    }

    /** @return how many bytes of ballast it took */
    public long fill() {
        long written = 0;
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (true) {
                out.write(BLOCK);
                written += BLOCK.length;
            }
        } catch (IOException e) {
            return written;
        }
    }

    public void makeRoom() {
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Brings everything back to the large disk. Nobody may work in the directory meanwhile. */
    @Override
    public void close() {
        makeRoom();
        try {
            FileTrees.delete(moved);
            Files.delete(directory);
            if (run("cp", "-a", mount.toString(), directory.toString()) != 0) {
                throw new IOException("cannot bring back " + directory);
            }
            if (run("umount", mount.toString()) != 0) {
                throw new IOException("cannot unmount " + mount);
            }
            Files.delete(mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path ballast() {
        return mount.resolve("ballast");
    }

    private static int run(String... command) throws IOException {
        try {
            return new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
