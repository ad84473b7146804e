package io.zarrengine.azure;

import io.zarrengine.http.StoreVariables;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The settings of Azure in environment variables. */
final class AzureEnvironment {
    /**
     * The account and key of Azure's emulators, which are public.
     *
     * @see <a
     *     href="https://learn.microsoft.com/azure/storage/common/storage-use-azurite">Azurite</a>
     */
    private static final String EMULATOR =
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
                    + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/"
                    + "KBHBeksoGMGw==;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1";

    private final StoreVariables variables;
    private final Map<String, String> connection; // parts of the connection string

    private AzureEnvironment(StoreVariables variables, Map<String, String> connection) {
        this.variables = variables;
        this.connection = connection;
    }

    static AzureEnvironment of(Map<String, String> variables) {
        StoreVariables all = new StoreVariables(variables);
        return new AzureEnvironment(
                all, parse(all.first("AZURE_STORAGE_CONNECTION_STRING").orElse("")));
    }

    private static Map<String, String> parse(String text) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.split(";")) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length == 2) {
                parts.put(pair[0], pair[1]);
            } else if (!part.isBlank()) { // The part may be a key.
                throw new IllegalArgumentException(
                        "AZURE_STORAGE_CONNECTION_STRING: expected Name=Value;Name=Value");
            }
        }
        boolean isEmulator = "true".equalsIgnoreCase(parts.get("UseDevelopmentStorage"));
        return isEmulator ? parse(EMULATOR) : Map.copyOf(parts);
    }

    Optional<String> account() {
        return Optional.ofNullable(connection.get("AccountName"))
                .or(() -> variables.first("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT"));
    }

    Optional<URI> endpoint() {
        return Optional.ofNullable(connection.get("BlobEndpoint"))
                .or(this::endpointOfSuffix)
                .or(() -> variables.first("AZURE_STORAGE_ENDPOINT"))
                .map(text -> {
                    try {
                        return URI.create(text);
                    } catch (IllegalArgumentException _) { // Its message repeats the text.
                        throw new IllegalArgumentException("the endpoint is not a URL");
                    }
                });
    }

    private Optional<String> endpointOfSuffix() {
        if (!connection.containsKey("EndpointSuffix") || account().isEmpty()) {
            return Optional.empty();
        }
        String scheme = connection.getOrDefault("DefaultEndpointsProtocol", "https");
        String suffix = connection.get("EndpointSuffix");
        return Optional.of(scheme + "://" + account().get() + ".blob." + suffix);
    }

    /** {@return the credentials for the account of the environment} */
    Credentials credentials() {
        if (skipsSignature()) {
            return new Credentials.Anonymous();
        }
        return Optional.ofNullable(connection.get("AccountKey"))
                .or(() -> variables.first("AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY"))
                .<Credentials>map(Credentials.SharedKey::new)
                .or(() ->
                        Optional.ofNullable(connection.get("SharedAccessSignature"))
                                .or(() -> variables.first("AZURE_STORAGE_SAS_TOKEN"))
                                .map(Credentials.Sas::of))
                .orElseGet(this::withoutSecrets);
    }

    /** {@return the credentials for any account} */
    Credentials withoutSecrets() {
        boolean wantsIdentity =
                variables
                        .first("AZURE_CLIENT_ID", "AZURE_TOKEN_CREDENTIALS", "IDENTITY_ENDPOINT")
                        .isPresent();
        return wantsIdentity && !skipsSignature()
                ? Credentials.ofIdentity()
                : new Credentials.Anonymous();
    }

    private boolean skipsSignature() {
        return variables.isOn("AZURE_SKIP_SIGNATURE");
    }
}
