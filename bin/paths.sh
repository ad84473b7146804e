# Where code comes from; sourced by whatever starts Java or Python, in a checkout and in a bundle.
# shellcheck shell=bash

unset CDPATH # Else "cd bin" may go elsewhere, and print where.

# Sets class_path to jars, joined. To Java an empty element is the current folder, which may be a
# downloaded store with classes in it; so is a relative one, and a colon makes two of one.
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

# Whether only this user and root can change what lies in a folder, or put another one in its place.
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
        # A group with the user's number is the user's alone.
        if ((!(mode & sticky) && (mode & 0002 || (mode & 0020 && group != 0 && group != EUID)))); then
            return 1
        fi
        sticky=01000 # Of a folder above: others may put files there, and cannot rename ours.
    done < <(stat -c '%u %g %a' -- "${folders[@]}" / || echo 1 1 777)
}

# Sets cache to the folder for what can be made again: the same as the command's CacheFolder. Services
# and containers have no HOME: ~ then stands for the user's folder in the user database.
find_cache() {
    cache="${XDG_CACHE_HOME:-}"
    if [[ "$cache" != /* ]]; then # The specification says to ignore a relative path.
        cache="${HOME:-}"
        [[ "$cache" == /* ]] || cache="$(unset HOME && echo ~)"
        cache="$cache/.cache"
    fi
    cache="$cache/zarr-engine"
}

# Sets cache to that folder, made if it is not there, or fails if others could put code there: what is
# run from it would be theirs, and run by root where root has another user's HOME.
require_cache() {
    find_cache
    if ! mkdir -p "$cache" 2> /dev/null || [ ! -w "$cache" ] || ! is_private "$cache"; then
        echo "${0##*/}: $cache cannot be written, or is writable by other users: set XDG_CACHE_HOME" >&2
        exit 1
    fi
}
