package dev.postonce.relay.source;

import java.util.Locale;

/**
 * Why a source is not relayed, and what mends it.
 *
 * @param detail what was found, in English: names, numbers, positions
 */
public record Refusal(Code code, String source, String detail) {

    private static final String REBASELINE_EN =
            "Nothing is lost as long as the outbox rows are there: restart the relay with"
                    + " POSTONCE_RELAY_REBASELINE=%s@<any new label>; it makes a new slot, publishes the table again by"
                    + " key and version (consumers drop the copies), then streams.";
    private static final String REBASELINE_ZH =
            "只要 outbox 表中的行还在，就没有数据丢失：请以 POSTONCE_RELAY_REBASELINE=%s@<任意新标签> 重启 relay；"
                    + "它会新建复制槽，按键和版本重新发布整张表（消费者会丢弃重复副本），然后继续读取日志。";

    /** What can be wrong. A wait ends by itself; everything else needs a person. */
    public enum Code {
        NOT_PRIMARY(
                true,
                "This database is a standby; the relay reads the primary only.",
                "当前数据库是备库；relay 只读取主库。",
                "It goes on when POSTONCE_DB_URL leads to the primary.",
                "当 POSTONCE_DB_URL 指向主库后会自动继续。"),
        OUTBOX_NOT_THERE_YET(
                true,
                "The outbox table or its publication does not exist yet.",
                "outbox 表或其 publication 尚不存在。",
                "It goes on when the service that owns them has run its migrations.",
                "拥有它们的服务完成数据库迁移后会自动继续。"),
        TOPICS_NOT_THERE_YET(
                true,
                "Topics are missing in Kafka.",
                "Kafka 中缺少主题。",
                "Run the relay once with --postonce.admin=topics; it goes on by itself then.",
                "请用 --postonce.admin=topics 运行一次 relay；之后会自动继续。"),
        KAFKA_SILENT(
                true, "Kafka does not answer.", "Kafka 没有应答。", "It goes on when Kafka answers.", "Kafka 恢复后会自动继续。"),
        OUTBOX_MISSING(
                false,
                "The outbox table that was relayed is gone.",
                "曾经转发的 outbox 表已不存在。",
                "Restore the table. " + REBASELINE_EN,
                "请恢复该表。" + REBASELINE_ZH),
        PUBLICATION_MISSING(
                false,
                "The publication is gone; rows written meanwhile are not in the stream.",
                "publication 已不存在；其间写入的行不在日志流中。",
                "Let the table's owner create it again, then: " + REBASELINE_EN,
                "请由表的所有者重新创建，然后：" + REBASELINE_ZH),
        PUBLICATION_INCOMPLETE(
                false,
                "The publication does not carry every inserted row whole.",
                "publication 没有完整携带每一条插入的行。",
                "Let the table's owner correct it. Where the relay had streamed before: " + REBASELINE_EN,
                "请由表的所有者更正。如果 relay 此前已在读取：" + REBASELINE_ZH),
        PUBLICATION_CHANGED(
                false,
                "The publication or the table was altered or made anew; rows may be missing in the stream.",
                "publication 或表被修改或重建；日志流中可能缺少行。",
                REBASELINE_EN,
                REBASELINE_ZH),
        SYSTEM_CHANGED(
                false,
                "This is another PostgreSQL system than the one whose position is stored.",
                "这不是记录位置时的那个 PostgreSQL 系统。",
                "Point POSTONCE_DB_URL at the right server. After a restore or a move: " + REBASELINE_EN,
                "请让 POSTONCE_DB_URL 指向正确的服务器。如果是恢复或迁移之后：" + REBASELINE_ZH),
        TIMELINE_CHANGED(
                false,
                "The database runs on another timeline: a standby was promoted or a backup restored.",
                "数据库处于另一条时间线：备库被提升或备份被恢复。",
                REBASELINE_EN,
                REBASELINE_ZH),
        SLOT_MISSING(false, "The replication slot is gone.", "复制槽已不存在。", REBASELINE_EN, REBASELINE_ZH),
        SLOT_FOREIGN(
                false,
                "A replication slot of this name belongs to another database or plugin.",
                "同名复制槽属于另一个数据库或插件。",
                "Drop or rename that slot. Then: " + REBASELINE_EN,
                "请删除或重命名该复制槽。然后：" + REBASELINE_ZH),
        SLOT_LOST(
                false,
                "PostgreSQL gave the slot's write-ahead log up (wal_status = lost).",
                "PostgreSQL 已放弃该复制槽所需的日志（wal_status = lost）。",
                "Check max_slot_wal_keep_size and disk space. " + REBASELINE_EN,
                "请检查 max_slot_wal_keep_size 和磁盘空间。" + REBASELINE_ZH),
        SLOT_AHEAD(
                false,
                "The slot stands ahead of what was published: it was made anew or moved by someone else.",
                "复制槽的位置超前于已发布的位置：它被他人重建或移动过。",
                REBASELINE_EN,
                REBASELINE_ZH),
        KAFKA_CLUSTER_CHANGED(
                false,
                "This is another Kafka cluster than the one that was published to.",
                "这不是此前发布到的那个 Kafka 集群。",
                "Point POSTONCE_KAFKA_BOOTSTRAP at the right cluster. If the cluster was built anew: " + REBASELINE_EN,
                "请让 POSTONCE_KAFKA_BOOTSTRAP 指向正确的集群。如果集群是新建的：" + REBASELINE_ZH),
        TOPIC_CHANGED(
                false,
                "A topic was deleted or made anew; what was published to it is gone.",
                "某个主题被删除或重建；此前发布到其中的内容已丢失。",
                "If it is missing, run --postonce.admin=topics. " + REBASELINE_EN,
                "如果主题缺失，请运行 --postonce.admin=topics。" + REBASELINE_ZH);

        private final boolean passing;
        private final String english;
        private final String chinese;
        private final String remedyEnglish;
        private final String remedyChinese;

        Code(boolean passing, String english, String chinese, String remedyEnglish, String remedyChinese) {
            this.passing = passing;
            this.english = english;
            this.chinese = chinese;
            this.remedyEnglish = remedyEnglish;
            this.remedyChinese = remedyChinese;
        }

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it goes away without a person; a source that waits has never streamed past anything. */
    public boolean passing() {
        return code.passing;
    }

    public String english() {
        return code.english + " " + detail + ". " + code.remedyEnglish.replace("%s", source);
    }

    public String chinese() {
        return code.chinese + " (" + detail + ") " + code.remedyChinese.replace("%s", source);
    }
}
