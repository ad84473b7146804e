package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.extension.CodecProvider;
import java.util.List;

/**
 * How an engine opens its arrays.
 *
 * @param caching how chunk files are read
 * @param dataTypes the known data types
 * @param codecProviders the codecs of callers
 * @param fillsMissing whether chunks that were never written have the fill value
 */
record ArrayOptions(
        Caching caching,
        DataTypes dataTypes,
        List<CodecProvider> codecProviders,
        boolean fillsMissing) {}
