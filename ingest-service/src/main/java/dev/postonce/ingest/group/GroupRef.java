package dev.postonce.ingest.group;

/**
 * Which entry is meant, within a tenant.
 *
 * @param key see {@link GroupReading.Named}
 */
record GroupRef(String operation, String key) {

    /** As it stands in audit rows and keys. An operation holds no slash. */
    @Override
    public String toString() {
        return operation + "/" + key;
    }
}
