# Starts the command from a folder of jars; sourced by the launchers of a checkout and of a bundle.
# shellcheck shell=bash

source "${BASH_SOURCE[0]%/*}/paths.sh"

# Java takes the encoding of file names from the locale. In the C locale it opens only ASCII names.
use_utf8() {
    if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then
        export LC_ALL=C.UTF-8
    fi
}

# What every Java of the command gets. -Xlog:disable: a stale cache is no news. MaxRAM: heaps stay below 32 GiB, as
# in the cache. The rest: native access, and aircompressor's memory.
java_options=(-Xlog:disable -XX:+UseSerialGC -XX:MaxRAM=120g -Djava.awt.headless=true
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)

# Commands end before better code pays (docs/decisions/commands-compile-simply.md), except repeated benchmarks.
simple_compiler=-XX:TieredStopAtLevel=1

# Returns whether a folder has a cache as old as its jars. Java dies of one whose jars were moved, if one of them is
# sealed; a bundle has none, and no start.folder.
has_start_cache() { # folder of jars
    local jar made="$1"
    [ -s "$1/start.aot" ] || return 1
    for jar in "$1"/*.jar; do
        [ ! "$jar" -nt "$1/start.aot" ] || return 1
    done
    [ ! -e "$1/start.folder" ] || read -r made < "$1/start.folder" || return 1
    [ "$made" = "$1" ]
}

launch() { # java, folder of jars, arguments
    local java="$1" jars="$2" class_path options=("${java_options[@]}")
    shift 2
    use_utf8
    find_more_jars
    set_class_path "$jars"/*.jar "${more_jars[@]}" # The cache is of the first ones.
    if has_start_cache "$jars"; then
        options+=("-XX:AOTCache=$jars/start.aot")
    fi
    if [[ "${1:-}" != bench || " $* " != *" --repeat"* ]]; then
        options+=("$simple_compiler")
    fi
    export CUFILE_LOGFILE_PATH="${CUFILE_LOGFILE_PATH:-/dev/null}" # Else doctor leaves a cufile.log here.
    # shellcheck disable=SC2086
    exec "$java" "${options[@]}" ${ZARR_ENGINE_JAVA_OPTIONS:-} -cp "$class_path" io.zarrengine.cli.Main "$@"
}

# Makes start.aot: the classes that commands load, linked (JEP 483, 514). Java ignores it if a jar, or Java itself,
# is another one. If Java fails to write it, it is empty, and Java answers 0. What it replaces is gone first, and
# start.folder comes before its cache.
train_start() { # java, folder of jars
    local java="$1" jars="$2" class_path folder made="$2/start.$$.aot" status=0
    use_utf8
    set_class_path "$jars"/*.jar
    folder="$(mktemp -d)" || return
    rm -f "$jars/start.aot"
    if CUFILE_LOGFILE_PATH=/dev/null "$java" "${java_options[@]}" "$simple_compiler" "-XX:AOTCacheOutput=$made" \
        -cp "$class_path" io.zarrengine.cli.StartTraining "$folder" > /dev/null 2>&1 && [ -s "$made" ]; then
        echo "$jars" > "$jars/start.folder" && mv -f "$made" "$jars/start.aot" || status=$?
    else
        status=1
    fi
    rm -rf "$folder" "$made" "$made.config"
    return "$status"
}
