/** A store of objects in Azure Blob Storage. Start with {@link io.zarrengine.azure.AzureStore}. */
package io.zarrengine.azure;
