/** A store of objects in Google Cloud Storage. Start with {@link io.zarrengine.gcs.GcsStore}. */
package io.zarrengine.gcs;
