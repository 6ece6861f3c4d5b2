#!/usr/bin/env bash
# Installs what the tests need of editors that the system has none or only an old one of, into the folder
# $PATCHPOINT_EDITORS (by default below the user's cache): Helix, Neovim 0.10 and the newest Neovim that Debian has, ALE
# for the Vim that is here, and lsp-mode and package-lint for the Emacs that is here.
#
# They are packages of Debian 13, and of Debian sid for the newest Neovim, fetched with apt and unpacked: nothing of the
# system is changed, and one need not be root. The mirror is one that apt is set up with, and what it sends must be signed
# by Debian. They need a newer C library than many a system's, which comes along; its loader starts them.
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
NEWEST_SUITE=sid
NEWEST_PACKAGES=(neovim)

folder=${PATCHPOINT_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/patchpoint/editors}
say() { echo "editors: $*" >&2; }

# is_installed STAMP WHAT...: whether the file STAMP says that WHAT is there.
is_installed() {
    [ "$(cat "$folder/$1" 2> /dev/null)" = "${*:2}" ]
}

lisp=$folder/tree/usr/share/emacs/site-lisp/elpa-src
emacs=$(emacs --version 2> /dev/null | head -n 1 || true)

# compile_lisp: compile the packages for the Emacs that is here; each of its starts would read them as text.
compile_lisp() {
    [ -n "$emacs" ] || return 0
    say "compiling for $emacs"
    emacs -Q --batch $(printf -- '-L %s ' "$lisp"/*) -f batch-byte-compile "$lisp"/*/*.el > "$folder/compiling.log" 2>&1 ||
        say "what could not be compiled stays text, see $folder/compiling.log"
    echo "$SUITE ${PACKAGES[*]} $emacs" > "$folder/compiled"
}

if is_installed installed "$SUITE" "${PACKAGES[@]}" && is_installed newest/installed "$NEWEST_SUITE" "${NEWEST_PACKAGES[@]}"; then
    is_installed compiled "$SUITE" "${PACKAGES[@]}" "$emacs" || compile_lisp
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

mkdir -p "$folder/bin"
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

# unpack SUITE TREE PACKAGE...: fetch these packages, and nothing that they depend on, and unpack them into TREE.
# unpack SUITE TREE --all PACKAGE...: the same, with all that they depend on, which in sid is called otherwise each month.
unpack() {
    local suite=$1 tree=$2 package
    shift 2
    rm -rf "$folder/apt" "$tree"
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/packages"
    : > "$folder/apt/status"
    fetch "$suite" "$@"
    for package in "$folder"/apt/packages/*.deb "$folder"/apt/cache/archives/*.deb; do
        [ ! -e "$package" ] || dpkg-deb -x "$package" "$tree"
    done
    rm -rf "$folder/apt"
}

fetch() {
    local mirror
    for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | sort -u) \
        http://deb.debian.org/debian/; do
        say "fetching from $1 of $mirror"
        fetch_from "$mirror" "$@" && return
    done
    say "No mirror of Debian could be read; what apt said is above. Signatures need a recent debian-archive-keyring."
    return 1
}

fetch_from() {
    echo "deb [signed-by=$keys] $1 $2 main" > "$folder/apt/sources.list"
    shift 2
    "${apt[@]}" update || return
    if [ "$1" = --all ]; then
        shift
        "${apt[@]}" install --yes --download-only --no-install-recommends "$@"
    else
        (cd "$folder/apt/packages" && "${apt[@]}" download "$@")
    fi
}

# start_as NAME TREE PROGRAM VARIABLE FOLDER: a program of TREE, run by its own C library, with VARIABLE set to FOLDER.
start_as() {
    local loader
    loader=$(ls "$2"/usr/lib/*/ld-linux*.so.* | head -n 1)
    cat > "$folder/bin/$1" << EOS
#!/bin/sh
export $4="$2/$5"
exec "$loader" --library-path "${loader%/*}" "$2/$3" "\$@"
EOS
    chmod +x "$folder/bin/$1"
    "$folder/bin/$1" --version > /dev/null
}

if ! is_installed installed "$SUITE" "${PACKAGES[@]}"; then
    rm -f "$folder/installed"
    unpack "$SUITE" "$folder/tree" "${PACKAGES[@]}"
    start_as hx "$folder/tree" usr/lib/hx/hx HELIX_RUNTIME usr/lib/hx/runtime
    start_as nvim-0.10 "$folder/tree" usr/bin/nvim VIMRUNTIME usr/share/nvim/runtime
    echo "$SUITE ${PACKAGES[*]}" > "$folder/installed"
fi
if ! is_installed newest/installed "$NEWEST_SUITE" "${NEWEST_PACKAGES[@]}"; then
    unpack "$NEWEST_SUITE" "$folder/newest" --all "${NEWEST_PACKAGES[@]}"
    # It finds its parsers from where it is itself; started by the loader, it does not know that.
    ln -s ../../../lib/nvim/parser "$folder/newest/usr/share/nvim/runtime/parser"
    start_as nvim-newest "$folder/newest" usr/bin/nvim VIMRUNTIME usr/share/nvim/runtime
    echo "$NEWEST_SUITE ${NEWEST_PACKAGES[*]}" > "$folder/newest/installed"
fi
compile_lisp
say "ready in $folder"
