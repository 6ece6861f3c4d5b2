#!/usr/bin/env bash
# Tries the VS Code extension: unit tests, then the packaged extension in a real VS Code. Its format and types are the
# matter of `make check`.
#
#   run.sh [FILE.vsix]     with a .vsix that is made already, or one made now
#
# The tools are installed below $PATCHPOINT_VSCODE (see install.sh). With $PATCHPOINT_PICTURES, the pictures
# of the documentation are written to that folder: editors/vscode/pictures.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
extension=$root/editors/vscode
python=${PYTHON:-$root/.venv/bin/python}
vsix=${1:+$(realpath "$1")}

# VS Code waits for its disk more than for anything else: in memory, where there is room for it.
room=$({ df --output=avail /dev/shm || true; } 2> /dev/null | tail -n 1)
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "${room:-0}" -gt $((4 << 20)) ]; then
    export TMPDIR=/dev/shm
fi

export PATCHPOINT_VSCODE=${PATCHPOINT_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/patchpoint/vscode}
PYTHON=$python "$here/install.sh"
export PATH="$PATCHPOINT_VSCODE/bin:$PATH"

cd "$extension"
make --no-print-directory -C "$root" editors/vscode/node_modules/.ready
npm test --silent

if [ -z "$vsix" ]; then
    vsix=$("$python" scripts/package.py --out "$root/dist" 2> /dev/null | tail -1)
fi
PATCHPOINT_PYTHON=$(realpath -s "$python")
export PATCHPOINT_PYTHON
PATCHPOINT_VSIX=$(realpath "$vsix")
export PATCHPOINT_VSIX
cd "$here"

logs=$(mktemp -d)
installed=$(mktemp -d)
trap 'rm -rf "$logs" "$installed"' EXIT

# Installed by VS Code and compiled by Python once: each journey has a copy.
PATCHPOINT_EXTENSIONS=$(realpath "$installed")/extensions
export PATCHPOINT_EXTENSIONS
HOME=$installed "$PATCHPOINT_VSCODE/node_modules/.bin/code-server" --user-data-dir "$installed/data" \
    --extensions-dir "$PATCHPOINT_EXTENSIONS" --install-extension "$PATCHPOINT_VSIX"
python3 -I "$PATCHPOINT_EXTENSIONS"/patchpoint.*/bundled/start.py serve < /dev/null || true # its client is gone at once

# Two at a time, since each mostly waits: for VS Code to start, and for what it draws.
journey() { node --test "$1.test.mjs" > "$2/$1.log" 2>&1 || mv "$2/$1.log" "$2/$1.failed"; }
export -f journey
printf '%s\n' large journey newcomer languages chat preview review keyboard decide again waiting unsaved matrix moved exports files tools elsewhere |
    xargs -P 2 -I '{}' bash -c 'journey "$1" "$2"' journey '{}' "$logs"
find "$logs" -name '*.log' -exec cat '{}' +

# The browser and VS Code have races of their own on a busy machine: what fails three times is a failure.
failures=()
for failed in "$logs"/*.failed; do
    [ -e "$failed" ] || continue
    name=$(basename "$failed" .failed)
    cat "$failed"
    echo "The journey $name failed, see above: once more"
    node --test "$name.test.mjs" || node --test "$name.test.mjs" || failures+=("$name")
done
if [ ${#failures[@]} -gt 0 ]; then
    echo "These journeys failed three times, see above: ${failures[*]}" >&2
    exit 1
fi
