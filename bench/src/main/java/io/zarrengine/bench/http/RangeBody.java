package io.zarrengine.bench.http;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The body of an answer on its way into the target. */
final class RangeBody {
    private final MemorySegment target;
    private long done;

    RangeBody(MemorySegment target) {
        this.target = target;
    }

    /** Copies the next bytes, which the buffer has. */
    void take(ByteBuffer bytes) throws IOException {
        MemorySegment part = MemorySegment.ofBuffer(bytes);
        if (done + part.byteSize() > target.byteSize()) {
            throw new IOException("the body is longer than " + target.byteSize() + " bytes");
        }
        if (part.address() != target.address() + done) { // Else it was received there.
            MemorySegment.copy(part, 0, target, done, part.byteSize());
        }
        done += part.byteSize();
    }

    /** {@return where the next bytes belong; empty after the last ones} */
    ByteBuffer rest() {
        return target.asSlice(done).asByteBuffer();
    }

    /** {@return why the answer is not the wanted one; null if it is} */
    IOException problem(int status) {
        if (status == 206 && done == target.byteSize()) {
            return null;
        }
        return new IOException("status " + status + ", " + done + " bytes");
    }
}
