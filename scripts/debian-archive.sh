# shellcheck shell=bash
# Downloads Debian packages of any architecture through the machine's own apt sources.
# Other scripts source it.
#
# Each architecture gets a private apt state under build/apt. That needs no root, no `dpkg --add-architecture`
# and no lock of the system. Nothing is installed: packages arrive as files, and callers unpack them.

# debian_archive ROOT ARCHITECTURE: makes the private state, and leaves its apt options in the array
# `apt_options`.
debian_archive() {
    local state=$1/build/apt/$2
    mkdir -p "$state"/{state/lists/partial,cache/archives/partial}
    mkdir -p "$state"/etc/{sources.list.d,preferences.d,apt.conf.d}
    : >"$state/state/status"

    # The machine's sources, with source packages switched on.
    local file
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] || continue
        sed 's/^Types: deb$/Types: deb deb-src/' "$file" >"$state/etc/sources.list.d/${file##*/}"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$file" ] || continue
        sed -n -e 'p' -e 's/^deb /deb-src /p' "$file"
    done | sed 's/^\(deb[^[]*\[[^]]*\)arch=[^] ]*/\1/' >"$state/etc/sources.list"

    apt_options=(
        -o "APT::Architecture=$2" -o "APT::Architectures=$2" -o Acquire::Languages=none -o Acquire::Retries=3
        -o APT::Sandbox::User=root -o APT::Get::List-Cleanup=0
        -o "Dir::State=$state/state" -o "Dir::State::status=$state/state/status" -o "Dir::Cache=$state/cache"
        -o "Dir::Etc=$state/etc" -o Dir::Etc::Trusted=/etc/apt/trusted.gpg
        -o Dir::Etc::TrustedParts=/etc/apt/trusted.gpg.d -o Dir::Etc::NetrcParts=/etc/apt/auth.conf.d
    )
}

# debian_update: fetches the indexes. It continues if one fails, because the others may have the package.
# If none has it, the download fails.
debian_update() {
    apt-get -qq "${apt_options[@]}" update >/dev/null 2>&1 || true
}

# debian_retry COMMAND...: three tries, with the indexes fetched anew before each further one.
debian_retry() {
    local attempt
    for attempt in 1 2 3; do
        if "$@" >/dev/null; then return 0; fi
        echo "download failed (try $attempt of 3): $*" >&2
        sleep $((attempt * 2))
        debian_update
    done
    return 1
}

# debian_download DIRECTORY PACKAGE...: the packages' newest versions, unpacked over one another in DIRECTORY.
debian_download() {
    local directory=$1
    shift
    rm -rf "$directory.part" "$directory"
    mkdir -p "$directory.part/packages" "$directory.part/files"
    (cd "$directory.part/packages" && debian_retry apt-get -qq "${apt_options[@]}" download "$@")
    local package
    for package in "$directory.part"/packages/*.deb; do
        dpkg-deb -x "$package" "$directory.part/files"
    done
    mv "$directory.part/files" "$directory"
    rm -rf "$directory.part"
}

# debian_source DIRECTORY PACKAGE: unpacks in DIRECTORY the source of PACKAGE as Debian builds it: upstream's,
# with debian/patches applied. Security updates of a stable release come as such patches.
debian_source() {
    local directory=$1
    rm -rf "$directory.part" "$directory"
    mkdir -p "$directory.part/packages"
    (cd "$directory.part/packages" &&
        debian_retry apt-get -qq "${apt_options[@]}" --download-only --only-source source "$2")
    # apt has checked the files against its signed index.
    dpkg-source --no-check --extract "$directory.part/packages/$2"_*.dsc "$directory.part/files" >/dev/null
    mv "$directory.part/files" "$directory"
    rm -rf "$directory.part"
}

# debian_dependency PACKAGE: what a meta-package stands for (linux-image-arm64: the current kernel's package).
debian_dependency() {
    apt-cache "${apt_options[@]}" depends "$1" | awk '/Depends:/ { print $2; exit }'
}
