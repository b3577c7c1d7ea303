# shellcheck shell=bash
# The functions shared by the scripts that make the emulated machines' root file systems. A script sources
# this file after setting `here`, `root` and `output`.
. "$root/scripts/debian-archive.sh"
mkdir -p "$output"

# fetch_packages DIRECTORY ARCHITECTURE PACKAGE...: unpacks the packages in DIRECTORY, unless it exists.
fetch_packages() {
    local directory=$1 architecture=$2
    shift 2
    if [ -d "$directory" ]; then return 0; fi
    echo "vm: fetching $* for $architecture"
    debian_archive "$root" "$architecture"
    debian_update
    debian_download "$directory" "$@"
}

# fetch_kernel DIRECTORY ARCHITECTURE PACKAGE: unpacks the kernel that the package depends on, and busybox.
fetch_kernel() {
    if [ -d "$1" ]; then return 0; fi
    debian_archive "$root" "$2"
    debian_update
    fetch_packages "$1" "$2" "$(debian_dependency "$3")" busybox-static
}

# board_tree TREE FILES INIT SDK CLANG_TARGET MODULE...: makes a root file system of busybox, init, `attach`,
# `adapter`, and the modules with their dependencies, in the layout of the kernel's package.
board_tree() {
    local tree=$1 files=$2 init=$3 sdk=$4 target=$5 release toolchain tool module
    shift 5
    release=$(basename "$files"/lib/modules/*)
    mkdir -p "$tree"/{bin,dev,proc,sys,etc}
    cp "$files/bin/busybox" "$tree/bin/"
    install -m 755 "$here/$init" "$tree/init"
    cp "$here/guest-common" "$tree/etc/"

    "$root/boards/sdk/make-sdk"
    toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")
    for tool in attach adapter; do
        "$toolchain/clang" --target="$target" --sysroot="$root/build/sdk/boards.artifactbundle/$sdk/sysroot" -fuse-ld=lld \
            -static -Os -Wall -Werror "$here/$tool.c" -o "$tree/bin/$tool"
    done

    depmod -b "$files" "$release"
    for module in "$@"; do
        modprobe -d "$files" -S "$release" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
    done | sort -u | while read -r path; do
        install -D "$path" "$tree/lib/modules/$release/${path#*/lib/modules/"$release"/}"
    done
    cp "$files/lib/modules/$release"/modules.{order,builtin,builtin.modinfo} "$tree/lib/modules/$release/"
    depmod -b "$tree" "$release"
}

# pack TREE: writes the archive of a tree to standard output.
pack() {
    (cd "$1" && find . | cpio -o -H newc --quiet | gzip -9)
}
