/**
 * JSON documents as plain values: strings, {@code Long}, {@code BigInteger}, {@code BigDecimal},
 * {@code Double} for NaN and infinities, booleans, null, lists and maps; {@link
 * io.zarrengine.zarr.json.JsonFields} reads an object member by member, {@link
 * io.zarrengine.zarr.json.Numcodecs} knows the names of codecs in both versions. Depends on {@code
 * errors} and a JSON library.
 */
package io.zarrengine.zarr.json;
