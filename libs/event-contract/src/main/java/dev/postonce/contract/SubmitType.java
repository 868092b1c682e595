package dev.postonce.contract;

import java.util.Optional;

/** What a record of {@link Topics#SUBMIT} asks for, by its {@code ce_type}. */
public enum SubmitType {
    /** Value: the body of {@code POST /v1/tasks}. */
    TASK_SUBMIT("dev.postonce.task.submit.v1"),
    /** Value: the body of {@code PUT /v1/tasks/{external_id}}, and {@code external_id}, {@code if_match}. */
    TASK_UPDATE("dev.postonce.task.update.v1"),
    /** Value: the body of {@code POST /v1/tasks/{external_id}/withdraw}, and {@code external_id}, {@code if_match}. */
    TASK_WITHDRAW("dev.postonce.task.withdraw.v1"),
    /** Value: the body of {@code POST /v1/groups}. */
    GROUP_SUBMIT("dev.postonce.group.submit.v1");

    /** The {@code ce_type} of what is on {@link Topics#SUBMIT_REJECTED}. */
    public static final String REJECTED = "dev.postonce.submit.rejected.v1";

    private final String ceType;

    SubmitType(String ceType) {
        this.ceType = ceType;
    }

    public String ceType() {
        return ceType;
    }

    /** Empty for a type that this version does not know. */
    public static Optional<SubmitType> of(String ceType) {
        for (SubmitType type : values()) {
            if (type.ceType.equals(ceType)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
