import Foundation

/// The Debian package of the agent, as a file.
public struct BoardPackage: Sendable {
    public let name: String
    public let version: String
    public let architecture: SystemArchitecture
    let bytes: [UInt8]

    /// The first bytes of the archive that a package is (deb(5)).
    private static let magic = Array("!<arch>\ndebian-binary".utf8)

    /// - Parameter path: the file, named as `dpkg-deb` names it: `tabard_0.3.0_arm64.deb`.
    public init(path: String, bytes: [UInt8]) throws(CardError) {
        let name = URL(filePath: path).lastPathComponent
        guard let parts = name.wholeMatch(of: /tabard_([0-9][0-9.~+a-z]*)_([a-z0-9]+)\.deb/)?.output else {
            throw .package("not named as a package of the agent is: tabard_VERSION_ARCHITECTURE.deb")
        }
        guard let architecture = SystemArchitecture(rawValue: String(parts.2)) else {
            throw .package("for \(parts.2); boards have packages for arm64, armhf and amd64")
        }
        guard bytes.starts(with: Self.magic) else { throw .package("not a Debian package; copy it again") }
        self.name = name
        self.version = String(parts.1)
        self.architecture = architecture
        self.bytes = bytes
    }

    /// The packages of an architecture in a folder, the newest version first.
    public static func candidates(in folder: String, for architecture: SystemArchitecture) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("tabard_") && $0.hasSuffix("_\(architecture.rawValue).deb") }
            .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            .map { URL(filePath: folder).appending(path: $0).path }
    }
}
