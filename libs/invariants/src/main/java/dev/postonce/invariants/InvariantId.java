package dev.postonce.invariants;

/** The invariants, each as one sentence in English and in Chinese. */
public enum InvariantId {
    I1(
            "Atomic intake",
            "What was acknowledged is committed together: the row and its event, or neither.",
            "受理是原子的：资源行与其事件一起提交，或都没有。"),
    I2(
            "One task",
            "At most one task per external id, one article per site and slug, one entry per normalised group.",
            "一个 external_id 至多一个任务，一个站点 slug 至多一篇文章，一个规范化群组至多一条收录。"),
    I3("Same question, same answer", "A repeated submission gets the same resource.", "重复提交得到同一个资源。"),
    I4(
            "No event lost, none invented",
            "Every committed event is on its topic, or is listed as parked; nothing else is on the topic.",
            "已提交的事件都在主题上，或被列为搁置；主题上没有别的东西。"),
    I5(
            "Order",
            "Per key, first appearances on the topic have rising versions; each gap is explained.",
            "同一个键在主题上首次出现的版本递增；每个缺口都有解释。"),
    I6(
            "One entry, newest state",
            "The index holds, per key, exactly one entry in the newest committed state; a removed key has none.",
            "索引中每个键恰好一条，且为最新提交的状态；已移除的键没有条目。"),
    I7("One post", "Each target has at most one post at its platform.", "每个发布目标在平台上至多一篇。"),
    I8(
            "Truthful status",
            "Published means that its existence was confirmed; failed means refused or absent; nothing else claims either.",
            "“已发布”即存在得到确认；“失败”即被拒绝或确认不存在；其余状态不作此声明。"),
    I9(
            "Converging callbacks",
            "The newest terminal state of each target reaches the upstream, signed, or is parked visibly.",
            "每个目标的最新终态经签名到达上游，或被公开搁置。"),
    I10("Tenants are strangers", "Nothing of one tenant stands under another.", "租户之间互不可见。"),
    I11(
            "Nothing half-known is dropped",
            "What cannot be processed is parked with its reason, visibly.",
            "无法处理的一律带原因搁置，可见。"),
    I12("Audited", "Each accepted, replayed or refused action has an audit row.", "每个受理、重放、拒绝的动作都有审计行。"),
    I13(
            "Truthful meters",
            "A gauge shows what the rows add up to; a counter has neither missed nor invented what is written down.",
            "仪表值等于表中之数；计数器既不遗漏也不虚报已写下的事。"),
    I14(
            "Resources come back",
            "Connections, files, threads and transactions that were taken are given back.",
            "取用的连接、文件、线程与事务都会归还。");

    private final String title;
    private final String english;
    private final String chinese;

    InvariantId(String title, String english, String chinese) {
        this.title = title;
        this.english = english;
        this.chinese = chinese;
    }

    public String title() {
        return title;
    }

    public String english() {
        return english;
    }

    public String chinese() {
        return chinese;
    }
}
