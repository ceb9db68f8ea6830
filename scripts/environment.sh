# Sourced by the scripts beside it, which set `self` to their own path. Sets `root`, the checkout, and
# gives `prepare_environment KIND` (runtime or dev), which returns at once when .venv is what the lock says.

root=$(CDPATH= cd -- "${self%/*}/.." && pwd -P) || exit 1

# Whether the environment holds KIND, was installed here, and from the files as they are now.
is_ready() {
    [ -x "$root/.venv/bin/python" ] || return 1
    { IFS= read -r kind && IFS= read -r place; } 2>/dev/null <"$root/.venv/installed/stamp" || return 1
    [ "$place" = "$root" ] || return 1
    case $1:$kind in
        runtime:runtime) lock=requirements.lock ;;
        runtime:dev | dev:dev) lock=requirements-dev.lock ;;
        *) return 1 ;;
    esac
    cmp -s "$root/$lock" "$root/.venv/installed/lock" &&
        cmp -s "$root/pyproject.toml" "$root/.venv/installed/pyproject.toml"
}

# Sets `python` to a Python that is new enough, or says what is missing.
find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && return 0
    done
    echo "Swarm needs Python 3.11 or newer, and none is on the PATH. Install one (for example" >&2
    echo "apt-get install python3 python3-venv, or brew install python), then repeat the command." >&2
    exit 1
}

prepare_environment() {
    is_ready "$1" && return 0
    find_python
    "$python" -I "$root/scripts/environment.py" "$1" || exit $?
}
