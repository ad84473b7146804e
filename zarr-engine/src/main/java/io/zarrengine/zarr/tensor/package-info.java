/** Parts of tensors: the layout of their elements, their form in DLPack, their lifetime. */
package io.zarrengine.zarr.tensor;
