/** Codecs that add a checksum. */
package io.zarrengine.zarr.codec.checksum;
