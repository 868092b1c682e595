package dev.postonce.standalone.process;

import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One supervisor for one home. The kernel gives the lock back when its holder dies, however it dies. Two brokers, or two
 * postmasters, on one directory would destroy it before they noticed, so this comes before anything else.
 */
public final class HomeLock implements AutoCloseable {

    private final FileChannel channel;
    private final Path holderFile;

    private HomeLock(FileChannel channel, Path holderFile) {
        this.channel = channel;
        this.holderFile = holderFile;
    }

    /** Empty if somebody else holds it; {@link #holder} tells who. */
    public static Optional<HomeLock> tryLock(StandaloneHome home) {
        PrivateFiles.directory(home.root());
        PrivateFiles.directory(home.run());
        try {
            FileChannel channel =
                    FileChannel.open(home.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                return Optional.empty();
            }
            ProcessId.current().save(holderFile(home));
            return Optional.of(new HomeLock(channel, holderFile(home)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + home.lockFile(), e);
        }
    }

    /** The process that holds the lock, if it still lives. */
    public static Optional<ProcessId> holder(StandaloneHome home) {
        return ProcessId.load(holderFile(home)).filter(ProcessId::isAlive);
    }

    @Override
    public void close() {
        try {
            // The record goes first: a lock without a record is a holder that has just come, the reverse would be a
            // lie.
            Files.deleteIfExists(holderFile);
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this very process
        }
    }

    private static Path holderFile(StandaloneHome home) {
        return home.run().resolve("supervisor.pid");
    }
}
