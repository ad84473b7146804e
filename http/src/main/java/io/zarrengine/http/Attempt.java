package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

/**
 * One request: it looks at the headers of the response, and takes the wanted part of the body.
 *
 * <p>Threads: those of the HTTP client, one at a time; {@link #cancel} on any.
 */
final class Attempt implements HttpResponse.BodyHandler<Answer>, BodySubscriber<Answer> {
    /**
     * The body of an error, and what follows the wanted bytes, is read so far, to keep the line.
     */
    private static final long USELESS_BYTES_MAX = 64 << 10;

    /** A body of unknown length may be so long. */
    private static final int COLLECTED_BYTES_MAX = 256 << 20;

    private final HttpRead owner;
    private final ObjectRead read;
    private final URI url;
    private final HttpOptions options;
    private final CompletableFuture<Answer> taken = new CompletableFuture<>();
    private final long sentNanos = System.nanoTime();
    private volatile long progressNanos = sentNanos;
    private volatile Future<?> response;
    private volatile boolean isCancelled;
    private long headerNanos; // this and the following: of one thread at a time
    private Flow.Subscription subscription;
    private Answer answer;
    private ByteArrayOutputStream collected; // null if the length of the body is known
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

    void measure(CostMeter meter) {
        meter.measured(headerNanos - sentNanos, System.nanoTime() - headerNanos, bytes);
    }

    void cancelBy(Future<?> newResponse) {
        response = newResponse;
        if (isCancelled) {
            newResponse.cancel(true);
        }
    }

    /** Ends the request; closes its connection if need be. */
    void cancel() {
        isCancelled = true;
        if (response != null) {
            response.cancel(true);
        }
    }

    @Override
    public BodySubscriber<Answer> apply(HttpResponse.ResponseInfo info) {
        headerNanos = System.nanoTime();
        progressNanos = headerNanos;
        options.answers().accept(info.headers());
        answer = new AnswerReader(read, url, options).answer(info);
        switch (answer) {
            case Answer.Refused _, Answer.Unauthorized _, Answer.Missing _ ->
                    error = new ErrorCode();
            case Answer.Body body -> expectOrRefuse(body);
            default -> {}
        }
        return this;
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
            collected = new ByteArrayOutputStream();
            return;
        }
        target = read.target(body.bytes());
        skip = body.skipped();
        bytes = body.bytes();
        objectBytes = body.objectBytes();
    }

    @Override
    public CompletionStage<Answer> getBody() {
        return taken;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        progressNanos = System.nanoTime();
        for (ByteBuffer buffer : buffers) {
            owner.countBytes(buffer.remaining());
            take(buffer);
        }
        if (useless > USELESS_BYTES_MAX) {
            subscription.cancel();
            onComplete();
        }
    }

    private void take(ByteBuffer buffer) {
        if (error != null) {
            error.take(buffer.duplicate());
        }
        if (collected != null) {
            collect(buffer);
            return;
        }
        int passed = (int) Math.min(skip, buffer.remaining());
        buffer.position(buffer.position() + passed);
        skip -= passed;
        int count = (int) Math.min(bytes - done, buffer.remaining());
        if (count > 0) {
            var part = MemorySegment.ofBuffer(buffer.slice(buffer.position(), count));
            if (!owner.write(this, part, target, done)) {
                subscription.cancel();
                return;
            }
            done += count;
        }
        useless += buffer.remaining() - count;
    }

    private void collect(ByteBuffer buffer) {
        if (collected.size() + buffer.remaining() > COLLECTED_BYTES_MAX) {
            answer = new Answer.Refused("the server tells no length, and sends too much");
            collected = null;
            useless = USELESS_BYTES_MAX + 1;
            return;
        }
        byte[] part = new byte[buffer.remaining()];
        buffer.get(part);
        collected.writeBytes(part);
    }

    @Override
    public void onError(Throwable error) {
        taken.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        if (collected != null) {
            endCollected();
        }
        if (error != null) {
            answer = error.explain(answer);
        }
        if (answer instanceof Answer.Body && done < bytes) {
            String problem = "the body ends after " + done + " of " + bytes + " bytes";
            taken.completeExceptionally(new IOException(problem));
        } else {
            taken.complete(answer);
        }
    }

    /** The length is known at last: takes the part that is wanted. */
    private void endCollected() {
        byte[] all = collected.toByteArray();
        collected = null;
        objectBytes = all.length;
        long first =
                read.offset() < 0
                        ? Math.max(objectBytes - read.length(), 0)
                        : Math.min(read.offset(), objectBytes);
        bytes = Math.min(objectBytes - first, read.length());
        try {
            target = read.target(bytes);
        } catch (RuntimeException e) { // More than was wanted.
            answer = new Answer.Refused(e.getMessage());
            return;
        }
        MemorySegment part = MemorySegment.ofArray(all).asSlice(first, bytes);
        if (owner.write(this, part, target, 0)) {
            done = bytes;
        }
    }
}
