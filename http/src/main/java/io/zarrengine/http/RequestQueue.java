package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The reads of a store: a bounded number of them is under way, the others wait. A read keeps its
 * place while it waits to be repeated, so a server that is too busy gets fewer requests.
 *
 * <p>Owner: the store. Threads: any.
 */
final class RequestQueue implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Each signs some 50,000 requests in a second; if they wait, it is for the same token. */
    private static final int SIGNERS = 2;

    /** How often the reads under way are looked at: stalled, too late, or not wanted any more. */
    private static final long LOOK_MILLIS = 50;

    private final HttpOptions options;
    private final ScheduledExecutorService timer;
    private final ExecutorService signers; // no thread before the first signature
    private final Transport transport;
    private final CostMeter meter = new CostMeter(System::nanoTime);
    private final HedgeBudget hedges = new HedgeBudget();
    private final RequestCounters counters = new RequestCounters();
    private final ArrayDeque<HttpRead> waiting =
            new ArrayDeque<>(); // guarded by this, as all below
    private final Set<HttpRead> begun = new HashSet<>();
    private boolean isLookDue;
    private boolean isClosed;

    RequestQueue(HttpOptions options) {
        this.options = options;
        timer = Executors.newSingleThreadScheduledExecutor(task -> thread(task, "timer"));
        signers = Executors.newFixedThreadPool(SIGNERS, task -> thread(task, "sign"));
        transport =
                options.version() == HttpClient.Version.HTTP_1_1
                        ? new NettyTransport(options, CONNECT_TIMEOUT, NettyTransport.IDLE_MAX)
                        : new JdkTransport(options, CONNECT_TIMEOUT);
    }

    private static Thread thread(Runnable task, String duty) {
        return Thread.ofPlatform().daemon().name("zarr-engine-http-" + duty).unstarted(task);
    }

    HttpOptions options() {
        return options;
    }

    CostMeter meter() {
        return meter;
    }

    HedgeBudget hedges() {
        return hedges;
    }

    RequestCounters counters() {
        return counters;
    }

    /** Adds a read, or fails it: the store's caller would take others for failed too. */
    void add(HttpRead read) {
        try {
            tryAdd(read);
        } catch (RuntimeException | Error e) { // No memory, say.
            read.fail(e);
        }
    }

    private void tryAdd(HttpRead read) {
        boolean isAdded;
        synchronized (this) {
            isAdded = !isClosed;
            if (isAdded) {
                waiting.add(read);
                scheduleLook();
            }
        }
        if (isAdded) {
            beginNext();
        } else {
            read.fail(closed());
        }
    }

    /** Removes a read that has ended, or waits and is not wanted any more. */
    synchronized void remove(HttpRead read) {
        begun.remove(read);
        waiting.remove(read);
    }

    /** Begins the next reads, as long as there is room. */
    void beginNext() {
        List<HttpRead> next = new ArrayList<>();
        synchronized (this) {
            while (begun.size() < options.requestsMax() && !waiting.isEmpty()) {
                HttpRead read = waiting.remove();
                begun.add(read);
                next.add(read);
            }
        }
        next.forEach(RequestQueue::begin);
    }

    /** Begins a read, or fails it, as {@link #add}. */
    private static void begin(HttpRead read) {
        try {
            read.begin();
        } catch (RuntimeException | Error e) { // No memory, say.
            read.fail(e);
        }
    }

    /** Sends a request. */
    Transport.Sent send(HttpRequest request, Receiver receiver) {
        counters.request();
        return transport.send(request, receiver);
    }

    /**
     * Runs a task that signs a request, on a thread that may wait for a token. The threads live as
     * long as the store: Amazon's library keeps what it signs with for each thread.
     */
    void sign(Runnable task) {
        try {
            signers.execute(task);
        } catch (RejectedExecutionException _) {
            // The store was closed, which has failed the read.
        }
    }

    /** Runs a task later; at once if the store is closed. */
    void later(Runnable task, long millis) {
        try {
            var _ = timer.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException _) {
            task.run();
        }
    }

    private void scheduleLook() {
        if (!isLookDue) {
            later(this::look, LOOK_MILLIS);
            isLookDue = true;
        }
    }

    /** {@return first those that wait: one that then fails must not begin when another ends} */
    private List<HttpRead> all() {
        List<HttpRead> all = new ArrayList<>(waiting);
        all.addAll(begun);
        return all;
    }

    private void look() {
        List<HttpRead> all;
        synchronized (this) {
            all = all();
            isLookDue = false;
            if (!all.isEmpty() && !isClosed) {
                scheduleLook();
            }
        }
        long now = System.nanoTime();
        for (HttpRead read : all) {
            try {
                read.look(now);
            } catch (RuntimeException | Error e) { // The others must be looked at, too.
                read.fail(e);
            }
        }
    }

    /** {@return the share of the requests allowed that are under way, 0 to 1} */
    synchronized double load() {
        return (double) begun.size() / options.requestsMax();
    }

    RequestMetrics metrics() {
        int inFlight;
        int queued;
        synchronized (this) {
            inFlight = begun.size();
            queued = waiting.size();
        }
        return counters.metrics(inFlight, queued);
    }

    private static IOException closed() {
        return new IOException("the store is closed");
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        List<HttpRead> all;
        synchronized (this) {
            isClosed = true;
            all = all();
            waiting.clear();
        }
        all.forEach(read -> read.fail(closed()));
        timer.shutdownNow();
        signers.shutdown();
        transport.close();
    }
}
