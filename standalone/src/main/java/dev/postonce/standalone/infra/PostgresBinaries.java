package dev.postonce.standalone.infra;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once from the class path: {@code initdb}, {@code postgres}, {@code pg_ctl}. */
final class PostgresBinaries {

    static final String VERSION = "17.11";

    private static final String RESOURCE = "/postgres-linux-x86_64.txz";
    private static final int OWNER_EXECUTES = 0100;

    private PostgresBinaries() {}

    /** @return the directory that holds {@code bin}, {@code lib} and {@code share} */
    static Path unpack(Path apps) {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.equals("Linux amd64")) {
            throw new IllegalStateException("the embedded PostgreSQL runs on Linux amd64, not on " + system
                    + ". Run the services against a PostgreSQL of your own: see docs/names.md");
        }
        Path target = apps.resolve("postgres-" + VERSION);
        FileTrees.whole(target, PostgresBinaries::unpackInto);
        return target;
    }

    private static void unpackInto(Path directory) throws IOException {
        try (InputStream resource = PostgresBinaries.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IOException(RESOURCE + " is not on the class path");
            }
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(resource)))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    unpackEntry(tar, entry, directory);
                }
            }
        }
    }

    private static void unpackEntry(InputStream content, TarArchiveEntry entry, Path directory) throws IOException {
        Path target = directory.resolve(entry.getName()).normalize();
        if (!target.startsWith(directory)) {
            throw new IOException("the archive points outside of its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, target);
            Files.setPosixFilePermissions(target, permissions(entry.getMode()));
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.of(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_READ);
        if ((mode & OWNER_EXECUTES) != 0) {
            permissions.add(PosixFilePermission.OWNER_EXECUTE);
            permissions.add(PosixFilePermission.GROUP_EXECUTE);
        }
        return permissions;
    }
}
