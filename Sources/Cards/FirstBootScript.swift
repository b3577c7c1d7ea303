import TextFormats

/// The shell script on the card that the first boot runs: it installs the package, and sets the board up.
///
/// Its output goes to `tabard/first-boot.log` on the card, so that a computer can show why a board stays
/// silent. It never fails, because a failure would keep the system from finishing its first boot.
struct FirstBootScript {
    static let folder = "tabard"
    static let name = "\(folder)/first-boot.sh"
    static let logName = "\(folder)/first-boot.log"
    /// The words that run the script on a board.
    static let command = ["sh", "\(BootPartition.mountPoint)/\(name)"]
    /// The end of each line that starts the script, so that a later change finds it.
    static let mark = "# tabard"

    let packageName: String
    /// The options of `tabard setup`.
    let setupArguments: [String]

    var text: String {
        """
        #!/bin/sh
        # Written by tabardctl prepare. The first boot runs it once: it installs Tabard, and sets the board up.
        folder=$(cd "$(dirname "$0")" && pwd)
        log=$folder/first-boot.log
        result=done
        # An interrupted first boot runs all of it again.
        {
            echo "tabard: first boot"
            # Another installation may be under way.
            apt-get install --yes --no-install-recommends -o DPkg::Lock::Timeout=600 \\
                "$folder"/\(ShellWord.quoted(packageName)) || result=failed
            cd "$folder" && tabard setup \(ShellWord.command(setupArguments)) || result=failed
            if [ -d /run/systemd/system ]; then systemctl restart tabard || result=failed; fi
            echo "tabard: first boot: $result"
        } >"$log" 2>&1
        cat "$log"
        sync
        exit 0

        """
    }
}
