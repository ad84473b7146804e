# Starts the command from a folder of jars; sourced by the launchers of a checkout and of a bundle.
# shellcheck shell=bash

launch() { # java, folder of jars, arguments
    local java="$1" jars="$2" cache="${XDG_CACHE_HOME:-$HOME/.cache}/zarr-engine" path sharing=()
    shift 2
    path="$(printf '%s:' "$jars"/*.jar)"
    # Class data sharing: written at the end of the first run, renewed by Java when jars change.
    if mkdir -p "$cache" 2> /dev/null && [ -w "$cache" ]; then
        sharing=(-XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=$cache/command${jars//\//-}.jsa")
    fi
    # -Xlog:disable: a stale archive is no news. The rest: native access, and aircompressor's memory.
    # shellcheck disable=SC2086
    exec "$java" -Xlog:disable "${sharing[@]}" -XX:+UseSerialGC -Djava.awt.headless=true \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        ${ZARR_ENGINE_JAVA_OPTIONS:-} -cp "$path" io.zarrengine.cli.Main "$@"
}
