package io.zarrengine.bindings;

import io.zarrengine.bindings.NativeLibrary.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The search for one library, as {@link NativeLibrary} describes it.
 *
 * @param libraryName its name in properties
 * @param symbol a function that the oldest supported release has, and older ones lack
 * @param supply the supported releases and their packages, for the message if there is none
 * @param sonames to open, best first
 */
record LibrarySearch(String libraryName, String symbol, String supply, List<String> sonames) {
    Status run() {
        Optional<String> denial = NativeAccess.denial();
        if (denial.isPresent()) {
            return new Status.Missing(denial.get());
        }
        String property = "io.zarrengine." + libraryName;
        if (System.getProperty(property, "on").equals("off")) {
            return new Status.Missing("switched off by -D" + property + "=off");
        }
        String configured = System.getProperty(property + ".path");
        if (configured != null) {
            return load(configured)
                    .orElseGet(() -> missing("-D" + property + ".path=" + configured));
        }
        for (String soname : sonames) {
            Optional<Status> found = load(soname);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return missing(String.join(" or ", sonames));
    }

    /** Returns empty if there is no such file; a reason if the file cannot be used. */
    private Optional<Status> load(String soname) {
        try {
            Optional<Path> path = SharedObject.locate(soname, symbol);
            if (path.isEmpty()) {
                String reason = soname + " has no " + symbol + "; needed: " + supply;
                return Optional.of(new Status.Missing(reason));
            }
            System.load(path.get().toString());
            return Optional.of(new Status.Loaded(path.get()));
        } catch (IllegalArgumentException e) { // the dynamic loader cannot open it
            return Optional.empty();
        } catch (UnsatisfiedLinkError e) { // e.g. another class loader of this JVM has it
            return Optional.of(new Status.Missing(e.getMessage()));
        }
    }

    private Status missing(String what) {
        return new Status.Missing(what + " cannot be opened; needed: " + supply);
    }
}
