import Foundation

/// The boot partition (bootfs) of a card with Raspberry Pi OS, as its files show it.
///
/// Raspberry Pi OS of Debian 13 sets itself up by cloud-init, with the file `user-data` on this partition.
/// The one of Debian 12 runs `firstrun.sh`, if the kernel's command line in `cmdline.txt` says so, as
/// Raspberry Pi Imager writes it.
public struct BootPartition: Sendable {
    /// The program through which the first boot takes its settings.
    public enum FirstBoot: Sendable { case cloudInit, firstRunScript }

    /// Where a running board has this partition.
    public static let mountPoint = "/boot/firmware"

    public let folder: String
    public let architecture: SystemArchitecture
    public let firstBoot: FirstBoot

    /// The first day of a Raspberry Pi OS of Debian 12.
    private static let firstRelease = "2023-10-10"

    public init(folder: String) throws(CardError) {
        self.folder = folder
        for name in ["cmdline.txt", "config.txt"] where !Self.hasFile(name, in: folder) {
            throw .noBootPartition(missing: name)
        }
        let isARM64 = Self.hasFile("kernel8.img", in: folder)
        let isARMHF = Self.hasFile("kernel7.img", in: folder) || Self.hasFile("kernel.img", in: folder)
        guard isARM64 || isARMHF else { throw .noBootPartition(missing: "kernel8.img") }
        // The system of 32 bits has kernels of both kinds.
        architecture = isARMHF ? .armhf : .arm64
        firstBoot = Self.hasFile("user-data", in: folder) ? .cloudInit : .firstRunScript
        if let date = Self.date(in: folder), date < Self.firstRelease { throw .oldSystem(date: date) }
    }

    /// The path of a file on this partition.
    public func path(of name: String) -> String { Self.path(of: name, in: folder) }

    public func hasFile(_ name: String) -> Bool { Self.hasFile(name, in: folder) }

    private static func path(of name: String, in folder: String) -> String {
        URL(filePath: folder).appending(path: name).path
    }

    private static func hasFile(_ name: String, in folder: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: name, in: folder))
    }

    /// The date of the system, from `issue.txt`: "Raspberry Pi reference 2025-10-01".
    private static func date(in folder: String) -> String? {
        guard let text = try? String(contentsOfFile: path(of: "issue.txt", in: folder), encoding: .utf8)
        else {
            return nil
        }
        return text.prefix(1_000).firstMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/).map { String($0.output) }
    }
}
