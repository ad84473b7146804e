/** The {@code blosc} codec: its header, its blocks and their streams. */
package io.zarrengine.zarr.codec.blosc;
