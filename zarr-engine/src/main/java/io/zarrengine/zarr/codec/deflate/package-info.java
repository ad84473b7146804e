/** The {@code gzip} and {@code zlib} codecs, and members of zip files that are deflated. */
package io.zarrengine.zarr.codec.deflate;
