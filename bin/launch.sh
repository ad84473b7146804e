# Starts the command from a folder of jars; sourced by the launchers of a checkout and of a bundle.
# shellcheck shell=bash

source "${BASH_SOURCE[0]%/*}/paths.sh"

# Java takes the encoding of file names from the locale: in that of C only ASCII ones can be opened.
use_utf8() {
    if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then
        export LC_ALL=C.UTF-8
    fi
}

launch() { # java, folder of jars, arguments
    local java="$1" jars="$2" cache class_path command archive build='' jar sharing=() jit=()
    shift 2
    find_cache
    use_utf8
    set_class_path "$jars"/*.jar
    # Class data sharing: written at the end of a command's first run, by Java, which refuses an archive
    # of other jars, but does not renew it.
    # Each command has its own: what the first one did not load would be missing for all others.
    command="${1:-}"
    [[ "$command" =~ ^[a-z]+$ ]] || command=none
    if mkdir -p "$cache" 2> /dev/null && [ -w "$cache" ] && is_private "$cache"; then
        archive="$cache/$command${jars//\//-}"
        if [ -e "$jars/build-id" ]; then # A bundle: its files are as old as those of any other.
            read -r build < "$jars/build-id" || true
            [ -e "$archive@$build.jsa" ] || rm -f "$archive"@*.jsa
        fi
        archive="$archive${build:+@$build}.jsa"
        for jar in "$jars"/*.jar; do
            if [ "$jar" -nt "$archive" ]; then
                rm -f "$archive"
            fi
        done
        sharing=(-XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=$archive")
    fi
    # They end before better code pays (docs/decisions/commands-compile-simply.md), but for what is repeated.
    if [[ "$command" != bench || " $* " != *" --repeat"* ]]; then
        jit=(-XX:TieredStopAtLevel=1)
    fi
    export CUFILE_LOGFILE_PATH="${CUFILE_LOGFILE_PATH:-/dev/null}" # Else doctor leaves a cufile.log here.
    # -Xlog:disable: a stale archive is no news. The rest: native access, and aircompressor's memory.
    # shellcheck disable=SC2086
    exec "$java" -Xlog:disable "${sharing[@]}" "${jit[@]}" -XX:+UseSerialGC -Djava.awt.headless=true \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        ${ZARR_ENGINE_JAVA_OPTIONS:-} -cp "$class_path" io.zarrengine.cli.Main "$@"
}
