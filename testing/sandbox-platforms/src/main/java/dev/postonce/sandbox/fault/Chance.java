package dev.postonce.sandbox.fault;

/**
 * How often a fault happens.
 *
 * @param rate share of requests, 0 to 1
 * @param next so many requests from now on, whatever the rate
 */
public record Chance(double rate, int next) {

    public static final Chance NEVER = new Chance(0, 0);

    public Chance {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("a rate is between 0 and 1, not " + rate);
        }
        if (next < 0) {
            throw new IllegalArgumentException("a count of next requests is not negative, as " + next + " is");
        }
    }
}
