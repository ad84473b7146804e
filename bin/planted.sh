# Checks that nothing of ours runs code in a downloaded store; sourced by bin/test, whose parts all run in
# that folder.
# shellcheck shell=bash

# Sets planted to a folder with a store and with code that leaves a note when it runs: a Java service, which every
# JVM that ends by System.exit creates, Python modules, settings of Maven and Cargo.
plant() {
    local module note
    planted="$(mktemp -d)"
    note="$planted/ran"
    (cd "$planted" && "$JAVA_HOME/bin/jar" --extract --file "$project/conformance/good/v2-compressor-blosc-lz4-shuffle.zip" store)
    cp -r "$planted"/store/. "$planted"
    rm -r "$planted/store"
    mkdir -p "$planted"/{META-INF/services,.mvn,.cargo}
    echo Planted > "$planted/META-INF/services/java.lang.System\$LoggerFinder"
    cat > "$planted/Planted.java" <<PLANTED
import java.nio.file.*;

public final class Planted extends System.LoggerFinder {
    static {
        try {
            Files.writeString(Path.of("$note"), "Java\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        throw new IllegalStateException("planted");
    }
}
PLANTED
    "$JAVA_HOME/bin/javac" -d "$planted" "$planted/Planted.java"
    for module in venv pip zipfile json numpy; do
        echo "open('$note', 'a').write('Python\n')" > "$planted/$module.py"
    done
    echo "-Dplanted --no-such-option" > "$planted/.mvn/jvm.config"
    printf '#!/bin/sh\necho Cargo >> %s\n' "$note" > "$planted/rustc"
    chmod +x "$planted/rustc"
    printf '[build]\nrustc-wrapper = "%s"\n' "$planted/rustc" > "$planted/.cargo/config.toml"
}

# Fails if code of that folder has run.
check_planted() {
    if [ -e "$planted/ran" ]; then
        echo "code of the current folder has run: $(sort "$planted/ran" | uniq -c | xargs)" >&2
        return 1
    fi
}

# Runs every command in that folder, after a check that running code there would be noticed.
run_commands_beside_planted_code() {
    local command status
    (cd "$planted" && "$JAVA_HOME/bin/java" -cp "$project/cli/target/lib/*:" io.zarrengine.cli.Main --version) > /dev/null 2>&1 || true
    if [ ! -e "$planted/ran" ]; then
        echo "the planted class does not run where the current folder is on the class path" >&2
        return 1
    fi
    rm "$planted/ran"
    echo '{"path": ".", "slice": "...", "output": "requested.npy"}' > "$planted/requests"
    echo ... > "$planted/slices"
    for command in --version --help doctor "doctor --json" "info ." "info . --json" "read . --output crop.npy" \
        "read --requests requests" "bench . --slices slices" "render . --slice 0 --output a.png" "demo --seconds 0.1"; do
        status=0
        # shellcheck disable=SC2086
        (cd "$planted" && "$project/bin/zarr-engine" $command > output 2>&1) || status=$?
        if [ "$status" -gt 1 ]; then # 1: render draws only two-dimensional arrays
            echo "zarr-engine $command: exit status $status" >&2
            cat "$planted/output" >&2
            return 1
        fi
        check_planted || return 1
    done
    (cd "$planted" && "$project/bin/bench" micro -l > output 2>&1) || return 1
    check_planted || return 1
    if grep -nE -- '(^|[[:space:]])(-cp|-classpath|--class-path)[ =]' "$project"/bin/* | grep -vE '"\$class_path"|planted.sh'; then
        echo "class paths that set_class_path has not made" >&2
        return 1
    fi
}
