package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One request: it looks at the headers of the response, and takes the wanted part of the body.
 *
 * <p>Threads: those of the transport, one at a time; {@link #cancel} on any.
 */
final class Attempt implements Receiver {
    /**
     * The body of an error, and what follows the wanted bytes, is read so far, to keep the line.
     */
    private static final long USELESS_BYTES_MAX = 64 << 10;

    /** One receive takes what the kernel has, which is rarely more. */
    private static final long PLACE_BYTES_MAX = 1 << 20;

    private final HttpRead owner;
    private final ObjectRead read;
    private final URI url;
    private final HttpOptions options;
    private volatile long sentNanos = System.nanoTime(); // before: since when it is signed
    private volatile long progressNanos = sentNanos;
    private volatile Transport.Sent sent; // null before
    private volatile boolean isCancelled;
    private long headerNanos; // this and the following: of one thread at a time
    private Answer answer;
    private UnmeasuredBody unmeasured; // null if the length of the body is known
    private MemorySegment target;
    private long skip; // bytes of the body to pass over
    private long bytes; // wanted
    private long done; // of these
    private long useless;
    private ErrorCode error; // null unless the body may have one
    private long objectBytes;

    Attempt(HttpRead owner, ObjectRead read, URI url, HttpOptions options) {
        this.owner = owner;
        this.read = read;
        this.url = url;
        this.options = options;
    }

    URI url() {
        return url;
    }

    /** {@return when something came, or the request was sent} */
    long progressNanos() {
        return progressNanos;
    }

    long bytes() {
        return bytes;
    }

    long objectBytes() {
        return objectBytes;
    }

    void measure(CostMeter meter, double load) {
        meter.measured(headerNanos - sentNanos, System.nanoTime() - headerNanos, bytes, load);
    }

    /** Notes that it is sent now: to sign it may have taken long. */
    void isSentNow() {
        sentNanos = System.nanoTime();
        progressNanos = sentNanos;
    }

    void cancelBy(Transport.Sent newSent) {
        sent = newSent;
        if (isCancelled) {
            newSent.cancel();
        }
    }

    /** Ends the request; closes its connection if need be. */
    void cancel() {
        isCancelled = true;
        if (sent != null) {
            sent.cancel();
        }
    }

    @Override
    public void begin(int status, HttpHeaders headers) {
        headerNanos = System.nanoTime();
        progressNanos = headerNanos;
        owner.counters().answer(headerNanos - sentNanos);
        options.answers().accept(headers);
        answer = new AnswerReader(read, url, options).answer(status, headers);
        switch (answer) {
            case Answer.Refused _, Answer.Unauthorized _, Answer.Missing _ ->
                    error = new ErrorCode();
            case Answer.Body body -> {
                if (owner.race().wins(this)) { // Else nothing of the body is taken.
                    expectOrRefuse(body);
                }
            }
            default -> {}
        }
    }

    private void expectOrRefuse(Answer.Body body) {
        try {
            expect(body);
        } catch (RuntimeException e) { // More than was wanted.
            answer = new Answer.Refused(e.getMessage());
        }
    }

    private void expect(Answer.Body body) {
        if (body.bytes() < 0) {
            unmeasured = new UnmeasuredBody(owner.race(), this, read);
            return;
        }
        target = read.target(body.bytes());
        skip = body.skipped();
        bytes = body.bytes();
        objectBytes = body.objectBytes();
    }

    /** Memory of Java's heap is not received into: the JDK would copy, from memory as large. */
    @Override
    public Optional<ByteBuffer> place(long most) {
        long wanted = Math.min(Math.min(bytes - done, most), PLACE_BYTES_MAX);
        boolean isInPlace = wanted > 0 && skip == 0 && target.isNative();
        return isInPlace
                ? Optional.of(target.asSlice(done, wanted).asByteBuffer())
                : Optional.empty();
    }

    @Override
    public int receive(Receive receive) throws IOException {
        int count = owner.race().receive(this, receive);
        if (count > 0) {
            progressNanos = System.nanoTime();
            owner.counters().bytes(count);
            done += count;
        }
        return count;
    }

    @Override
    public boolean take(ByteBuffer part) {
        progressNanos = System.nanoTime();
        owner.counters().bytes(part.remaining());
        if (error != null) {
            error.take(part.duplicate());
        }
        if (unmeasured != null) {
            return unmeasured.take(part);
        }
        return keep(part) && useless <= USELESS_BYTES_MAX;
    }

    /** {@return false if the request was abandoned} */
    private boolean keep(ByteBuffer buffer) {
        int passed = (int) Math.min(skip, buffer.remaining());
        buffer.position(buffer.position() + passed);
        skip -= passed;
        int count = (int) Math.min(bytes - done, buffer.remaining());
        if (count > 0) {
            var part = MemorySegment.ofBuffer(buffer.slice(buffer.position(), count));
            if (!owner.race().write(this, part, target, done)) {
                return false;
            }
            done += count;
        }
        useless += buffer.remaining() - count;
        return true;
    }

    @Override
    public void fail(Throwable cause) {
        owner.unanswered(this, cause);
    }

    @Override
    public void end() {
        if (unmeasured != null) {
            endUnmeasured();
        }
        if (error != null) {
            answer = error.explain(answer);
        }
        if (answer instanceof Answer.Body && done < bytes) {
            String problem = "the body ends after " + done + " of " + bytes + " bytes";
            fail(new IOException(problem));
        } else {
            owner.answered(this, answer);
        }
    }

    /** The length is known at last. */
    private void endUnmeasured() {
        if (unmeasured.isTooLong()) {
            answer = new Answer.Refused(UnmeasuredBody.TOO_LONG);
            return;
        }
        objectBytes = unmeasured.objectBytes();
        bytes = unmeasured.bytes();
        try {
            done = unmeasured.end() ? bytes : 0;
        } catch (RuntimeException e) { // More than was wanted.
            answer = new Answer.Refused(e.getMessage());
        }
    }
}
