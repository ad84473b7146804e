# Starts the command from a folder of jars; sourced by the launchers of a checkout and of a bundle.
# shellcheck shell=bash

source "${BASH_SOURCE[0]%/*}/paths.sh"

# Java takes the encoding of file names from the locale. In the C locale it opens only ASCII names.
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
    # Class data sharing: Java writes the archive at the end of a command's first run. It refuses an archive of
    # other jars, but does not replace it.
    # Each command has its own archive, because classes that the first command did not load would be missing for the
    # others.
    command="${1:-}"
    [[ "$command" =~ ^[a-z]+$ ]] || command=none
    if mkdir -p "$cache" 2> /dev/null && [ -w "$cache" ] && is_private "$cache"; then
        archive="$cache/$command${jars//\//-}"
        if [ -e "$jars/build-id" ]; then # In a bundle, the files have the same times as those of any other bundle.
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
    # The commands end before better code pays (docs/decisions/commands-compile-simply.md), except for repeated
    # reads.
    if [[ "$command" != bench || " $* " != *" --repeat"* ]]; then
        jit=(-XX:TieredStopAtLevel=1)
    fi
    export CUFILE_LOGFILE_PATH="${CUFILE_LOGFILE_PATH:-/dev/null}" # Otherwise doctor writes cufile.log here.
    # -Xlog:disable hides the message about a stale archive. The other options are for native access and for
    # aircompressor's memory.
    # shellcheck disable=SC2086
    exec "$java" -Xlog:disable "${sharing[@]}" "${jit[@]}" -XX:+UseSerialGC -Djava.awt.headless=true \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        ${ZARR_ENGINE_JAVA_OPTIONS:-} -cp "$class_path" io.zarrengine.cli.Main "$@"
}
