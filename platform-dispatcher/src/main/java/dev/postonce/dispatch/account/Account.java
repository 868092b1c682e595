package dev.postonce.dispatch.account;

/** One of a tenant's accounts at a platform. */
public interface Account {

    /** The name that rows and events carry. */
    String name();
}
