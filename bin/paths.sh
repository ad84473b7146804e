# Chooses safe paths for code; sourced by every script that starts Java or Python, in a checkout and in a bundle.
# shellcheck shell=bash

unset CDPATH # Otherwise "cd bin" may go elsewhere, and print the folder.

# Sets class_path to the joined jars. To Java an empty element is the current folder, which may be a downloaded
# store with classes in it. A relative element has the same risk, and a colon splits an element.
set_class_path() { # jars
    local jar
    class_path=''
    for jar in "$@"; do
        if [[ "$jar" != /* || "$jar" == *:* ]]; then
            echo "${0##*/}: \"$jar\" cannot be on a class path: it is relative, or has a colon" >&2
            exit 1
        fi
        class_path+="${class_path:+:}$jar"
    done
    if [ -z "$class_path" ]; then
        echo "${0##*/}: there are no jars" >&2
        exit 1
    fi
}

# Sets more_jars to the jars of the folder that ZARR_ENGINE_JARS names: libraries with credentials, for example.
find_more_jars() {
    more_jars=()
    if [ -n "${ZARR_ENGINE_JARS:-}" ]; then
        more_jars=("$ZARR_ENGINE_JARS"/*.jar)
        if [ ! -e "${more_jars[0]}" ]; then
            echo "${0##*/}: ZARR_ENGINE_JARS: no jars in \"$ZARR_ENGINE_JARS\"" >&2
            exit 1
        fi
    fi
}

# Returns whether only this user and root can change the content of a folder, or replace the folder.
is_private() { # folder
    local folder owner group mode folders=() sticky=0
    folder="$(realpath -e -- "$1" 2> /dev/null)" || return 1
    while [ "${#folder}" -gt 1 ]; do
        folders+=("$folder")
        folder="${folder%/*}"
    done
    while read -r owner group mode; do
        mode=$((8#$mode))
        if [ "$owner" -ne 0 ] && [ "$owner" -ne "$EUID" ]; then
            return 1
        fi
        # A group with the user's number has only this user.
        if ((!(mode & sticky) && (mode & 0002 || (mode & 0020 && group != 0 && group != EUID)))); then
            return 1
        fi
        sticky=01000 # In a parent folder with this bit, others may add files but cannot rename ours.
    done < <(stat -c '%u %g %a' -- "${folders[@]}" / || echo 1 1 777)
}

# Sets cache to the folder for files that can be made again: the same as the command's CacheFolder. Services and
# containers have no HOME; ~ then stands for the user's folder in the user database.
find_cache() {
    cache="${XDG_CACHE_HOME:-}"
    if [[ "$cache" != /* ]]; then # The specification says to ignore a relative path.
        cache="${HOME:-}"
        [[ "$cache" == /* ]] || cache="$(unset HOME && echo ~)"
        cache="$cache/.cache"
    fi
    cache="$cache/zarr-engine"
}

# Sets cache to that folder, and creates it if it is missing. Fails if other users could write there, because code
# is run from it, by root if root has another user's HOME.
require_cache() {
    find_cache
    if ! mkdir -p "$cache" 2> /dev/null || [ ! -w "$cache" ] || ! is_private "$cache"; then
        echo "${0##*/}: $cache cannot be written, or is writable by other users: set XDG_CACHE_HOME" >&2
        exit 1
    fi
}
