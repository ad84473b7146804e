package io.zarrengine.http;

/**
 * Bounds the requests that are sent beside others which are slow, so that a server that is slow
 * because it has too much to do gets few more.
 *
 * <p>Threads: any.
 *
 * @see <a href="https://github.com/grpc/proposal/blob/master/A6-client-retries.md">gRPC A6,
 *     throttling of retries and hedged requests: also begins with 10</a>
 * @see <a href="https://research.google/pubs/the-tail-at-scale/">Dean and Barroso, The Tail at
 *     Scale: 5 % more requests suffice</a>
 */
final class HedgeBudget {
    /** So many requests pay for a hedged one: 5 %. */
    private static final int PRICE = 20;

    /** So many hedged requests can be paid for in advance. */
    private static final int HEDGES_MAX = 10;

    private int saved = HEDGES_MAX * PRICE; // guarded by this

    /** Notes a request that is not hedged. */
    synchronized void earn() {
        saved = Math.min(saved + 1, HEDGES_MAX * PRICE);
    }

    /** {@return whether another request may be sent, which is now paid for} */
    synchronized boolean pay() {
        boolean pays = saved >= PRICE;
        if (pays) {
            saved -= PRICE;
        }
        return pays;
    }
}
