/** Codecs by optional Java libraries, through streams: {@code bz2} and {@code lzma}. */
package io.zarrengine.zarr.codec.stream;
