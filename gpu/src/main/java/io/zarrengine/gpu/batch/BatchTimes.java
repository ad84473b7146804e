package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.zarr.metrics.Recorder;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a batch was decoded; and when it was copied and placed, too, if that is recorded. By the
 * device's clock: the host sees later what is done, and a batch may have waited for its copies.
 *
 * <p>Owner: the batch. Threads: the device's.
 */
final class BatchTimes implements AutoCloseable {
    private final List<CudaEvent> owned = new ArrayList<>();
    private final CudaEvent copyBegin;
    private final CudaEvent copyEnd;
    private final CudaEvent decodeBegin;
    private final CudaEvent decodeEnd;
    private final CudaEvent placeEnd;
    private DeviceBatchEvent event; // null: not recorded

    BatchTimes(CudaDevice device) throws CudaException {
        try {
            copyBegin = own(CudaEvent.openTimed(device));
            copyEnd = own(CudaEvent.openTimed(device));
            decodeBegin = own(CudaEvent.openTimed(device));
            decodeEnd = own(CudaEvent.openTimed(device));
            placeEnd = own(CudaEvent.openTimed(device));
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    private CudaEvent own(CudaEvent opened) {
        owned.add(opened);
        return opened;
    }

    /** A slot is about to be copied. */
    void copy(CudaStream copies, long bytes, long describeNanos) throws CudaException {
        if (event == null && Recorder.isInUse()) {
            DeviceBatchEvent candidate = new DeviceBatchEvent();
            if (!candidate.isEnabled()) {
                return;
            }
            candidate.begin();
            copyBegin.record(copies);
            event = candidate;
        }
        if (event != null) {
            event.bytes += bytes;
            event.describeTime += describeNanos;
        }
    }

    /** All is queued that is copied; what is queued next decodes. */
    void decodeBegins(CudaStream copies, CudaStream work) throws CudaException {
        if (event != null) {
            copyEnd.record(copies);
            work.waitFor(copyEnd); // It has passed, then, when the batch is done.
        }
        decodeBegin.record(work);
    }

    void decodeEnds(CudaStream work) throws CudaException {
        decodeEnd.record(work);
    }

    void placeEnds(CudaStream work) throws CudaException {
        if (event != null) {
            placeEnd.record(work);
        }
    }

    /** {@return how long the batch was decoded, in nanoseconds; it is done} */
    long decodeNanos() throws CudaException {
        return (long) (decodeEnd.millisSince(decodeBegin) * 1e6);
    }

    /** The batch is done. */
    void seen(int chunks) throws CudaException {
        if (event != null) {
            event.chunks = chunks;
            event.copyTime = copyEnd.millisSince(copyBegin);
            event.decodeBegin = decodeBegin.millisSince(copyBegin);
            event.decodeTime = decodeEnd.millisSince(decodeBegin);
            event.placeTime = placeEnd.millisSince(decodeEnd);
            event.commit();
        }
    }

    /** Forgets the batch, whatever became of it. */
    void clear() {
        event = null;
    }

    @Override
    public void close() {
        owned.forEach(CudaEvent::close);
    }
}
