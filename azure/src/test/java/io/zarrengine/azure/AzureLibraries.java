package io.zarrengine.azure;

/**
 * Whether Azure's libraries are there, which are optional; this class can be loaded without them.
 */
final class AzureLibraries {
    private AzureLibraries() {}

    static boolean areThere() {
        try {
            Class.forName("com.azure.storage.common.StorageSharedKeyCredential");
            Class.forName("com.azure.identity.DefaultAzureCredentialBuilder");
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }
}
