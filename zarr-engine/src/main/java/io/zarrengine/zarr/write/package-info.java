/**
 * Encodes whole chunks and puts their files in place. Depends on {@code codec} and {@code place}.
 */
package io.zarrengine.zarr.write;
