package io.zarrengine.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the version set by the build. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream resource = Version.class.getResourceAsStream("version.properties")) {
            properties.load(resource);
        }
        return new String[] {
            "zarr-engine " + properties.getProperty("version"),
            "Java " + Runtime.version() + " on " + System.getProperty("os.arch")
        };
    }
}
