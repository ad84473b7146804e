package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaStream;
import java.util.HashMap;
import java.util.Map;

/** Which stream of each device does zstd, and how many decoders and encoders it has. */
@SuppressWarnings("ReferenceEquality") // Two streams are never the same one.
final class ZstdStream {
    private record Claim(Object stream, int users) {}

    private static final Map<Integer, Claim> CLAIMS = new HashMap<>(); // guarded by itself

    private ZstdStream() {}

    static void claim(CudaStream stream) {
        claim(stream.device().ordinal(), stream);
    }

    static void release(CudaStream stream) {
        release(stream.device().ordinal());
    }

    static void claim(int device, Object stream) {
        synchronized (CLAIMS) {
            Claim claim = CLAIMS.getOrDefault(device, new Claim(stream, 0));
            if (claim.stream != stream) {
                throw new IllegalStateException(
                        "device " + device + " does zstd in another stream already");
            }
            CLAIMS.put(device, new Claim(stream, claim.users + 1));
        }
    }

    static void release(int device) {
        synchronized (CLAIMS) {
            Claim claim = CLAIMS.get(device);
            if (claim.users == 1) {
                CLAIMS.remove(device);
            } else {
                CLAIMS.put(device, new Claim(claim.stream, claim.users - 1));
            }
        }
    }
}
