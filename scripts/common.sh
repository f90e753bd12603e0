# Shared by the scripts beside it: where the project is, and how its packages get installed. To be sourced.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# install_packages FILE: installs those packages of the list that are missing; says so in one line, asks nothing.
install_packages() {
    local list=$1 package missing=()
    while read -r package; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done < <(grep -vE '^(#|\[|$)' "$list")
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

# build PRESET [TARGET...]: configures once and builds; quiet unless something fails.
build() {
    local preset=$1
    shift
    local log
    log=$(mktemp)
    echo "Building ($preset)"
    if ! { { [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset"; } &&
           cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"}; } >"$log" 2>&1; then
        grep -E 'error|FAILED|warning' -A3 "$log" | head -60 >&2 || true
        tail -20 "$log" >&2
        echo "The build failed." >&2
        return 1
    fi
    rm -f "$log"
}
