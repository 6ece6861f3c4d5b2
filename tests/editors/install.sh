#!/usr/bin/env bash
# Installs what the tests need of editors that the system has none or only an old one of, into the folder
# $PATCHPOINT_EDITORS (by default below the user's cache): Helix, Neovim 0.10, ALE for the Vim that is here, and lsp-mode
# and package-lint for the Emacs that is here.
#
# They are packages of Debian 13, fetched with apt and unpacked: nothing of the system is changed, and one need not be
# root. The mirror is one that apt is set up with, and what it sends must be signed by Debian. They need a newer C
# library than many a system's, which comes along; its loader starts them.
#
# Run it again at any time: what is there is left alone.
set -euo pipefail

SUITE=trixie
PACKAGES=(
    hx libc6 libgcc-s1
    neovim neovim-runtime libluajit-5.1-2 libmsgpack-c2 libtree-sitter0.22 libunibilium4 libuv1t64 libvterm0 lua-lpeg lua-luv
    vim-ale
    elpa-lsp-mode elpa-dash elpa-f elpa-ht elpa-lv elpa-markdown-mode elpa-s elpa-spinner
    elpa-package-lint
)

folder=${PATCHPOINT_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/patchpoint/editors}
stamp="$SUITE ${PACKAGES[*]}"
say() { echo "editors: $*" >&2; }

if [ "$(cat "$folder/installed" 2> /dev/null)" = "$stamp" ]; then
    say "ready in $folder"
    exit
fi
for tool in apt-get dpkg-deb; do
    if ! command -v "$tool" > /dev/null; then
        say "There is no $tool here; install Helix 25 by hand, as hx on the PATH."
        exit 1
    fi
done
keys=$(ls /usr/share/keyrings/debian-archive-keyring.* 2> /dev/null | head -n 1 || true)
if [ -z "$keys" ]; then
    say "Debian's keys are missing; install the package debian-archive-keyring."
    exit 1
fi

mkdir -p "$folder"
rm -rf "$folder/apt" "$folder/tree" "$folder/bin" "$folder/installed"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/packages" "$folder/bin"
: > "$folder/apt/status"
apt=(
    apt-get -qq
    -o "Dir::Etc::SourceList=$folder/apt/sources.list"
    -o "Dir::Etc::SourceParts=-"
    -o "Dir::State::Lists=$folder/apt/lists"
    -o "Dir::State::Status=$folder/apt/status"
    -o "Dir::Cache=$folder/apt/cache"
    -o "APT::Update::Error-Mode=any"
    -o "APT::Sandbox::User=$(id -un)"
)

fetch_from() {
    echo "deb [signed-by=$keys] $1 $SUITE main" > "$folder/apt/sources.list"
    "${apt[@]}" update && (cd "$folder/apt/packages" && "${apt[@]}" download "${PACKAGES[@]}")
}

fetch() {
    local mirror
    for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | sort -u) \
        http://deb.debian.org/debian/; do
        say "fetching from $mirror"
        fetch_from "$mirror" && return
    done
    say "No mirror of Debian could be read; what apt said is above. Signatures need a recent debian-archive-keyring."
    return 1
}

fetch
for package in "$folder"/apt/packages/*.deb; do
    dpkg-deb -x "$package" "$folder/tree"
done
loader=$(ls "$folder"/tree/usr/lib/*/ld-linux*.so.* | head -n 1)
cat > "$folder/bin/hx" << EOF
#!/bin/sh
export HELIX_RUNTIME="$folder/tree/usr/lib/hx/runtime"
exec "$loader" --library-path "${loader%/*}" "$folder/tree/usr/lib/hx/hx" "\$@"
EOF
cat > "$folder/bin/nvim-0.10" << EOF
#!/bin/sh
export VIMRUNTIME="$folder/tree/usr/share/nvim/runtime"
exec "$loader" --library-path "${loader%/*}" "$folder/tree/usr/bin/nvim" "\$@"
EOF
chmod +x "$folder/bin/hx" "$folder/bin/nvim-0.10"
"$folder/bin/nvim-0.10" --version > /dev/null
"$folder/bin/hx" --version > /dev/null
rm -rf "$folder/apt"
echo "$stamp" > "$folder/installed"
say "ready in $folder"
