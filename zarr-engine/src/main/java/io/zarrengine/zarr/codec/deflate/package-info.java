/** The {@code gzip} and {@code zlib} codecs, and deflated members of zip files. */
package io.zarrengine.zarr.codec.deflate;
