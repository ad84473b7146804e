package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectChangedException;
import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * One read, and the requests that are sent for it: one after the other, each with a second one
 * beside it if it is slow and that is wanted. None writes to the memory of the read after the read
 * has ended.
 *
 * <p>Threads: any; the state is guarded by this.
 */
final class HttpRead {
    private static final int REDIRECTS_MAX = 5;

    private final RequestQueue queue;
    private final URI url;
    private final ObjectRead read;
    private URI target; // the URL, or where it was redirected to
    private int redirects;
    private int tries;
    private int refused; // connections in a row; of one request after the other
    private final long addedNanos = System.nanoTime();
    private long begunNanos; // 0 while it waits for its turn
    private final Race race = new Race();
    private String lastProblem = "no answer came";
    private Map<String, String> signed = Map.of(); // what the signer gave the last request
    private Map<String, String> unauthorized; // such headers that the server refused; else null
    private String unauthorizedProblem = "";
    private boolean hasEnded;

    HttpRead(RequestQueue queue, URI url, ObjectRead read) {
        this.queue = queue;
        this.url = url;
        this.read = read;
        this.target = url;
    }

    /** Sends the first request. */
    void begin() {
        synchronized (this) {
            begunNanos = System.nanoTime();
            queue.counters().begun(begunNanos - addedNanos);
        }
        send();
    }

    private void send() {
        Attempt attempt;
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            tries++;
            attempt = new Attempt(this, read, target, queue.options());
            race.begin(attempt);
        }
        queue.hedges().earn();
        signAndSend(attempt);
    }

    /** Sends a second request beside one that has no answer yet, if that is paid for. */
    private void hedge(Attempt slow) {
        if (!race.awaits(slow) || !read.isWanted() || queue.isClosed() || !queue.hedges().pay()) {
            return;
        }
        Attempt attempt = new Attempt(this, read, slow.url(), queue.options());
        if (race.join(slow, attempt)) {
            queue.counters().hedge();
            signAndSend(attempt);
        }
    }

    private void signAndSend(Attempt attempt) {
        if (queue.options().signer().isEmpty()) {
            send(attempt);
        } else {
            queue.sign(() -> send(attempt));
        }
    }

    private void send(Attempt attempt) {
        try {
            HttpRequest request = request(attempt.url());
            attempt.isSentNow();
            attempt.cancelBy(queue.send(request, attempt));
            queue.options()
                    .hedgingDelay()
                    .ifPresent(delay -> queue.later(() -> hedge(attempt), delay.toMillis()));
        } catch (RuntimeException | IOException | LinkageError e) {
            // A header that is not allowed, no credentials, or a signer without its library.
            if (wasLast(attempt)) {
                fail(failure(String.valueOf(e.getMessage()), e));
            }
        }
    }

    private HttpRequest request(URI to) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept-Encoding", "identity");
        if (read.length() != ObjectRead.WHOLE) {
            headers.put("Range", range());
        }
        read.version().ifPresent(version -> Validator.require(version, headers));
        if (isOwnHost(to)) {
            headers.putAll(queue.options().headers());
            Optional<RequestSigner> signer = queue.options().signer();
            if (signer.isPresent()) {
                headers.putAll(signed(signer.get(), to, Map.copyOf(headers)));
            }
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(to).GET();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            setHeader(request, header.getKey(), header.getValue());
        }
        return request.build();
    }

    /** Signs a request: otherwise than one that the server has refused. */
    private Map<String, String> signed(RequestSigner signer, URI to, Map<String, String> headers)
            throws IOException {
        Map<String, String> refused;
        String problem;
        synchronized (this) {
            refused = unauthorized;
            problem = unauthorizedProblem;
        }
        Map<String, String> now =
                refused == null
                        ? signer.sign(to, headers)
                        : signer.signAgain(to, headers, refused)
                                .orElseThrow(() -> new IOException(problem));
        synchronized (this) {
            signed = now;
        }
        return now;
    }

    private static void setHeader(HttpRequest.Builder request, String name, String value)
            throws IOException {
        try {
            request.setHeader(name, value);
        } catch (IllegalArgumentException _) { // Its message repeats the value.
            throw new IOException("the header " + name + " cannot be sent");
        }
    }

    private boolean isOwnHost(URI to) {
        return to.getScheme().equals(url.getScheme())
                && to.getHost().equals(url.getHost())
                && to.getPort() == url.getPort();
    }

    private String range() {
        return read.offset() < 0
                ? "bytes=-" + read.length()
                : "bytes=" + read.offset() + "-" + (read.offset() + read.length() - 1);
    }

    /** Takes from a request that it has ended; false if it was abandoned. */
    private boolean takes(Attempt attempt) {
        if (!race.wins(attempt) || !race.end(attempt)) {
            return false;
        }
        synchronized (this) {
            return !hasEnded;
        }
    }

    /** Takes from a request that it has failed; false if another goes on, or it was abandoned. */
    private boolean wasLast(Attempt attempt) {
        return !race.goesOnWithout(attempt) && takes(attempt);
    }

    /** The request got no answer, or not all of it. */
    void unanswered(Attempt attempt, Throwable error) {
        if (!wasLast(attempt)) {
            return;
        }
        NoAnswer why = NoAnswer.of(error);
        refused = why.isRefusal() ? refused + 1 : 0;
        if (refused >= why.refusalsMax()) {
            fail(failure(why.message(), error));
        } else {
            repeat(why.message(), Optional.empty());
        }
    }

    /** The request has its answer. */
    void answered(Attempt attempt, Answer answer) {
        boolean mayBeRepeated = answer instanceof Answer.Retry;
        if (!(mayBeRepeated ? wasLast(attempt) : takes(attempt))) {
            return;
        }
        switch (answer) {
            case Answer.Body body -> complete(body, attempt);
            case Answer.Missing _ -> end(read::missing);
            case Answer.Changed _ ->
                    fail(new ObjectChangedException(read.version().orElse("?"), "another one"));
            case Answer.Redirect redirect -> redirect(redirect.url());
            case Answer.Retry retry -> repeat(retry.problem(), retry.pause());
            case Answer.Unauthorized(Answer.Refused refused) -> authorize(refused);
            case Answer.Refused refused -> fail(failure(refused.message(), null));
        }
    }

    private void complete(Answer.Body body, Attempt attempt) {
        attempt.measure(queue.meter(), queue.load());
        end(() -> read.completed(attempt.bytes(), attempt.objectBytes(), body.version()));
    }

    private void redirect(URI to) {
        synchronized (this) {
            target = to;
            redirects++;
            tries--;
        }
        if (redirects > REDIRECTS_MAX) {
            fail(failure("redirected more than " + REDIRECTS_MAX + " times", null));
        } else {
            send();
        }
    }

    /** Sends the request once more, with other credentials if there are any. */
    private void authorize(Answer.Refused refused) {
        boolean isFirst;
        synchronized (this) {
            isFirst = unauthorized == null && !signed.isEmpty();
            unauthorized = signed;
            unauthorizedProblem = refused.message();
        }
        if (isFirst) {
            send();
        } else {
            fail(failure(refused.message(), null));
        }
    }

    /** Sends another request after a while; fails if the deadline is before. */
    private void repeat(String problem, Optional<Duration> asked) {
        long waitMillis;
        boolean isTooLate;
        synchronized (this) {
            lastProblem = problem;
            waitMillis = RetryDelay.millis(tries, asked);
            long waitNanos = Duration.ofMillis(waitMillis).toNanos();
            isTooLate = System.nanoTime() + waitNanos - begunNanos > deadlineNanos();
            target = url;
            redirects = 0;
        }
        if (isTooLate || queue.isClosed()) {
            fail(failure(problem, null));
        } else {
            queue.counters().retry();
            queue.later(this::send, waitMillis);
        }
    }

    private long deadlineNanos() {
        return queue.options().deadline().toNanos();
    }

    /** Ends the read if it is too late or not wanted, and repeats a request that has stalled. */
    void look(long now) {
        if (!read.isWanted()) {
            fail(new CancellationException("nobody wants it any more"));
            return;
        }
        boolean isTooLate;
        boolean isStalled;
        synchronized (this) {
            isTooLate = begunNanos != 0 && now - begunNanos > deadlineNanos();
        }
        isStalled = race.isStalledSince(now - queue.options().stallTimeout().toNanos());
        String stalled = "no byte came for " + queue.options().stallTimeout().toMillis() + " ms";
        if (isTooLate) {
            fail(failure(isStalled ? stalled : lastProblem, null));
        } else if (isStalled && race.abandon()) {
            repeat(stalled, Optional.empty());
        }
    }

    /** Fails the read, if it has not ended. */
    void fail(Throwable cause) {
        end(() -> read.failed(cause));
    }

    private void end(Runnable report) {
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            hasEnded = true;
        }
        race.abandon();
        queue.remove(this);
        try {
            report.run();
        } finally {
            queue.beginNext();
        }
    }

    private synchronized IOException failure(String problem, Throwable cause) {
        long millis = (System.nanoTime() - begunNanos) / 1_000_000;
        String part = read.length() == ObjectRead.WHOLE ? "" : ", Range " + range();
        return new IOException(
                problem
                        + " (GET"
                        + part
                        + ", "
                        + (tries == 1 ? "1 try" : tries + " tries")
                        + " in "
                        + millis
                        + " ms)",
                cause);
    }

    Race race() {
        return race;
    }

    RequestCounters counters() {
        return queue.counters();
    }
}
