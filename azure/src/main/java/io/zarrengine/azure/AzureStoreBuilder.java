package io.zarrengine.azure;

import io.zarrengine.http.HttpStore;
import io.zarrengine.http.HttpStoreBuilder;
import io.zarrengine.http.RequestSigner;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Builds a store from options. What is not set comes from the environment, by the names that
 * Azure's command and other readers know:
 *
 * <ul>
 *   <li>{@code AZURE_STORAGE_CONNECTION_STRING}: all that follows, in one text
 *   <li>the account: {@code AZURE_STORAGE_ACCOUNT_NAME} or {@code AZURE_STORAGE_ACCOUNT}
 *   <li>another server: {@code AZURE_STORAGE_ENDPOINT}
 *   <li>credentials: {@code AZURE_STORAGE_ACCOUNT_KEY} or {@code AZURE_STORAGE_KEY}, {@code
 *       AZURE_STORAGE_SAS_TOKEN}
 *   <li>an {@link #identity}, if one of these is set: {@code AZURE_CLIENT_ID}, {@code
 *       AZURE_TOKEN_CREDENTIALS}, {@code IDENTITY_ENDPOINT}
 *   <li>no credentials: {@code AZURE_SKIP_SIGNATURE=true}
 * </ul>
 *
 * <p>Keys and signatures of the environment are used only for the account of the environment.
 * Without credentials, requests are anonymous.
 */
public final class AzureStoreBuilder {
    /**
     * From the first version in which a container can be read without credentials and by ranges.
     */
    private static final String API_VERSION = "2021-12-02";

    private static final String ADVICE =
            "credentials come from AZURE_STORAGE_SAS_TOKEN, AZURE_STORAGE_ACCOUNT_KEY or an"
                    + " identity";

    private final String container; // empty for all containers of the account
    private final AzureEnvironment environment;
    private final List<Consumer<HttpStoreBuilder>> httpOptions = new ArrayList<>();
    private String name; // null for the URL of the container
    private String account; // null for that of the environment
    private URI endpoint; // null for Azure's, or that of the environment
    private Credentials credentials; // null for those of the environment

    AzureStoreBuilder(String container, Map<String, String> environment) {
        this.container = container;
        this.environment = AzureEnvironment.of(environment);
    }

    void name(String newName) {
        name = newName;
    }

    /**
     * Sets the storage account.
     *
     * @param newAccount its name
     * @return this
     */
    public AzureStoreBuilder account(String newAccount) {
        account = Objects.requireNonNull(newAccount, "account");
        return this;
    }

    /**
     * Sets the server. Default: {@code https://ACCOUNT.blob.core.windows.net}.
     *
     * @param newEndpoint its URL; for Azurite {@code http://127.0.0.1:10000/devstoreaccount1}
     * @return this
     */
    public AzureStoreBuilder endpoint(URI newEndpoint) {
        endpoint = Objects.requireNonNull(newEndpoint, "endpoint");
        return this;
    }

    /**
     * Signs each request with a key of the account. Needs {@code com.azure:azure-storage-common}.
     *
     * @param key in Base64
     * @return this
     */
    public AzureStoreBuilder sharedKey(String key) {
        credentials = new Credentials.SharedKey(key);
        return this;
    }

    /**
     * Adds a shared access signature to each request.
     *
     * @param signature a query: {@code sv=...&sig=...}
     * @return this
     */
    public AzureStoreBuilder sas(String signature) {
        credentials = Credentials.Sas.of(signature);
        return this;
    }

    /**
     * Authenticates each request by a token for {@code https://storage.azure.com/}.
     *
     * @param token is called for each request, on a virtual thread, and may block
     * @return this
     */
    public AzureStoreBuilder token(Supplier<String> token) {
        return signer(RequestSigner.bearer(token));
    }

    /**
     * Authenticates each request by what a signer adds to it.
     *
     * @param signer is called for each request, on a virtual thread, and may block
     * @return this
     */
    public AzureStoreBuilder signer(RequestSigner signer) {
        credentials = new Credentials.Signed(signer);
        return this;
    }

    /**
     * Authenticates each request by tokens for the identity of this machine or user. Needs {@code
     * com.azure:azure-identity}, whose {@code DefaultAzureCredential} looks for it.
     *
     * @return this
     * @throws IllegalArgumentException if the library is missing
     */
    public AzureStoreBuilder identity() {
        credentials = Credentials.ofIdentity();
        return this;
    }

    /**
     * Sends no credentials.
     *
     * @return this
     */
    public AzureStoreBuilder anonymous() {
        credentials = new Credentials.Anonymous();
        return this;
    }

    /**
     * Sets options of the requests: the deadline, the proxy and others.
     *
     * @param options is called by {@link #open}
     * @return this
     */
    public AzureStoreBuilder http(Consumer<HttpStoreBuilder> options) {
        httpOptions.add(options);
        return this;
    }

    /**
     * {@return a new store with these options}
     *
     * @throws IllegalArgumentException if no account is known, or credentials are not valid
     */
    public AzureStore open() {
        String server = server().toString().replaceAll("/+$", "");
        String path = container.isEmpty() ? server : server + "/" + container;
        Credentials used = usedCredentials();
        HttpStoreBuilder http =
                HttpStore.builder(URI.create(path + used.query()))
                        .header("x-ms-version", API_VERSION)
                        .advice(ADVICE);
        used.signer(usedAccount()).ifPresent(http::signer);
        httpOptions.forEach(options -> options.accept(http));
        return new AzureStore(name == null ? path : name, container, http.open());
    }

    private String usedAccount() {
        return account == null ? environment.account().orElse(null) : account;
    }

    private boolean isOfEnvironment() {
        return account == null || account.equals(environment.account().orElse(account));
    }

    private URI server() {
        if (endpoint != null) {
            return endpoint;
        }
        Optional<URI> known = isOfEnvironment() ? environment.endpoint() : Optional.empty();
        return known.orElseGet(() -> serverOf(usedAccount()));
    }

    Credentials usedCredentials() {
        if (credentials != null) {
            return credentials;
        }
        return isOfEnvironment() ? environment.credentials() : environment.withoutSecrets();
    }

    private URI serverOf(String owner) {
        if (owner == null) {
            throw new IllegalArgumentException(
                    "the storage account of the container "
                            + container
                            + " is not known: set AZURE_STORAGE_ACCOUNT_NAME, or use"
                            + " abfs://container@account.dfs.core.windows.net/path");
        }
        return URI.create("https://" + owner + ".blob.core.windows.net");
    }
}
