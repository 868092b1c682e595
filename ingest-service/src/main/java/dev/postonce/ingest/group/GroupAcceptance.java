package dev.postonce.ingest.group;

import java.util.List;

/**
 * What is answered to an accepted or repeated write.
 *
 * @param created whether it is the first of its kind
 * @param replay whether nothing changed
 * @param contentDiffers fields that differ from the stored ones and were not taken over
 */
record GroupAcceptance(KnownGroup group, boolean created, boolean replay, List<String> contentDiffers) {}
