package io.zarrengine.azure;

import io.zarrengine.http.RequestSigner;
import java.util.Optional;

/** The credentials of requests. Never printed. */
sealed interface Credentials {
    /** {@return the query of each request, with its question mark; or an empty text} */
    default String query() {
        return "";
    }

    /**
     * {@return the signer of requests; empty if they are not signed}
     *
     * @param account the account; null if it is not known
     */
    default Optional<RequestSigner> signer(String account) {
        return Optional.empty();
    }

    /**
     * {@return credentials of the identity of this machine or user}
     *
     * @throws IllegalArgumentException if Azure's library is missing
     */
    static Credentials ofIdentity() {
        try {
            return new Signed(IdentitySigner.ofMachine());
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    "identities need com.azure:azure-identity on the class path"
                            + " (AZURE_SKIP_SIGNATURE=true reads public containers without)",
                    e);
        }
    }

    /** Nothing. */
    final class Anonymous implements Credentials {}

    /** The key of an account. */
    final class SharedKey implements Credentials {
        private final String key;

        SharedKey(String key) {
            this.key = key;
        }

        @Override
        public Optional<RequestSigner> signer(String account) {
            if (account == null) {
                throw new IllegalArgumentException("a shared key needs the name of its account");
            }
            return Optional.of(new SharedKeySigner(account, key));
        }
    }

    /** A shared access signature. */
    final class Sas implements Credentials {
        private final String query;

        private Sas(String query) {
            this.query = query;
        }

        static Sas of(String signature) {
            String query = signature.strip().replaceFirst("^[?]", "");
            boolean isQuery = query.matches("[!-~&&[^#<>\"\\\\^`{|}]]+");
            if (!isQuery || !query.contains("sig=")) {
                throw new IllegalArgumentException(
                        "a shared access signature is a query with \"sig=\"");
            }
            return new Sas("?" + query);
        }

        @Override
        public String query() {
            return query;
        }
    }

    /** Credentials that a signer adds. */
    final class Signed implements Credentials {
        private final RequestSigner signer;

        Signed(RequestSigner signer) {
            this.signer = signer;
        }

        @Override
        public Optional<RequestSigner> signer(String account) {
            return Optional.of(signer);
        }
    }
}
