/** Codecs that optional Java libraries do through streams: {@code bz2} and {@code lzma}. */
package io.zarrengine.zarr.codec.stream;
