# Shared by the scripts beside it: where the project is, how its packages get installed, how it is built. To be sourced.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# packages_of FILE [SECTION...]: the packages before the first section and those of the sections named.
packages_of() {
    local list=$1
    shift
    awk -v wanted=" $* " '/^\[/ { gsub(/[][]/, ""); skip = !index(wanted, " " $0 " "); next }
                          !/^(#|$)/ && !skip' "$list"
}

# install_packages FILE [SECTION...]: installs those packages that are missing; says so in one line, asks nothing. On a
# system without dpkg it names what CMake will look for and goes on with what is there.
install_packages() {
    local list=$1 package missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "This is no Debian: what CMake looks for must be there already, under Debian's names:" \
             "$(packages_of "$@" | tr '\n' ' ')" >&2
        return 0
    fi
    while read -r package; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done < <(packages_of "$@")
    [ ${#missing[@]} -eq 0 ] && return 0
    echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "These need root, and there is no sudo: ${missing[*]}" >&2; return 1; }
        as_root=(sudo)
    fi
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
         >"$log" 2>&1; then
        cat "$log" >&2
        echo "The packages could not be installed." >&2
        return 1
    fi
    rm -f "$log"
}

# progress NAME: shows how far the build on standard input is, on a terminal in one line that changes, else a line now and then.
progress() {
    awk -v name="$1" -v terminal="$([ -t 1 ] && echo 1)" '
        { print > "/dev/stderr" }
        match($0, /^\[[0-9]+\/[0-9]+\]/) {
            split(substr($0, 2, RLENGTH - 2), n, "/")
            tenth = int(10 * n[1] / n[2])
            if (terminal) printf "\rBuilding (%s): %d of %d ", name, n[1], n[2]
            else if (tenth > shown) printf "Building (%s): %d of %d\n", name, n[1], n[2]
            shown = tenth
            fflush()
        }
        END { if (terminal && NR) print "" }'
}

# build PRESET [TARGET...]: configures and builds; says how far it is, and more only if something fails.
build() {
    local preset=$1
    shift
    local log
    log=$(mktemp)
    echo "Building ($preset)"
    if ! { cmake --preset "$preset" >"$log" 2>&1 &&
           cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"} 2>&1 | progress "$preset" 2>>"$log"; }; then
        grep -E 'error|FAILED|warning' -A3 "$log" | head -60 >&2 || true
        tail -20 "$log" >&2
        echo "The build failed." >&2
        return 1
    fi
    rm -f "$log"
}
