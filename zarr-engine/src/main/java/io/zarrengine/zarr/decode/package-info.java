/**
 * Decodes chunks and puts their elements where they belong: straight, row by row, block by block,
 * or by way of the workspace; and keeps decoded chunks for the next read.
 */
package io.zarrengine.zarr.decode;
