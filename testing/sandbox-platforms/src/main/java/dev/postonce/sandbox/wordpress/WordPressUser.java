package dev.postonce.sandbox.wordpress;

/** An account of each sandbox site, with its application password. */
public record WordPressUser(long id, String name, String password, Role role) {

    /** What an account may do; of WordPress' roles the two that differ for a publisher. */
    public enum Role {
        /** May edit all posts; its HTML is kept as sent. */
        ADMINISTRATOR,
        /** May edit its own posts; its HTML is cleaned. */
        AUTHOR
    }

    boolean mayEdit(Post post) {
        return role == Role.ADMINISTRATOR || post.authorId() == id;
    }

    @Override
    public String toString() {
        return name + " (" + role + ")";
    }
}
