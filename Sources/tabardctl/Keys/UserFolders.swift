import Foundation

/// The folders in which the user's own files are, after the XDG Base Directory Specification.
enum UserFolders {
    /// Settings and keys: `$XDG_CONFIG_HOME/tabard`; by default `~/.config/tabard`.
    static var configuration: String { folder("XDG_CONFIG_HOME", default: ".config") }

    /// The archive: `$XDG_DATA_HOME/tabard`; by default `~/.local/share/tabard`.
    static var data: String { folder("XDG_DATA_HOME", default: ".local/share") }

    /// The archive that commands use if none is given.
    static var archive: String { data + "/archive.sqlite" }

    /// The specification has relative paths ignored.
    private static func folder(_ variable: String, default name: String) -> String {
        (absolute(variable) ?? (absolute("HOME") ?? NSHomeDirectory()) + "/" + name) + "/tabard"
    }

    private static func absolute(_ variable: String) -> String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
