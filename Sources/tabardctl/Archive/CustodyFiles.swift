import Archive
import CommandLineText
import Foundation
import LogContents

/// What this computer keeps about archives outside of them, in its user's configuration folder: a secret that
/// proves rows, the known boards, and the state of each archive when a command of this program last closed it.
struct CustodyFiles {
    let archivePath: String
    let knownBoardsPath: String
    /// Whether the archive is the user's own one, at its usual place.
    let isDefault: Bool

    static var folder: String {
        let configuration = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]
            .flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (configuration ?? NSHomeDirectory() + "/.config") + "/tabard"
    }

    static var defaultKnownBoards: String { folder + "/known-boards" }
    private static var secretPath: String { folder + "/archive.secret" }
    private static var statesPath: String { folder + "/archives" }

    /// - Parameter creates: makes the secret if there is none.
    func custody(creates: Bool) -> ArchiveCustody {
        var custody = ArchiveCustody(
            secret: Self.secret(creates: creates), knownBoards: knownBoards, adoptsEarlierRows: isDefault)
        custody.hasFilledTables = isUnchanged
        return custody
    }

    // MARK: Known boards

    private var knownBoards: KnownBoards {
        KnownBoards(text: (try? String(contentsOfFile: knownBoardsPath, encoding: .utf8)) ?? "")
    }

    /// Adds the trusted boards of an archive to the list.
    func addBoards(of archive: Archive) throws(Failure) {
        var list = knownBoards
        let before = list
        try archiving { () throws(ArchiveError) in try archive.addBoards(to: &list) }
        if list != before { Self.write(list.text, to: knownBoardsPath) }
    }

    // MARK: The secret

    private static func secret(creates: Bool) -> [UInt8] {
        let stored = (try? Data(contentsOf: URL(filePath: secretPath))).map { [UInt8]($0) }
        if let stored, stored.count == 32 { return stored }
        let secret = (0..<32).map { _ in UInt8.random(in: 0...255) }
        if creates, stored == nil { write(Data(secret), to: secretPath) }
        return secret
    }

    // MARK: The archive's state

    /// Whether nobody has changed the file since this program closed it. There is nothing to change in a file
    /// that does not exist.
    private var isUnchanged: Bool {
        guard let state else { return true }
        return Self.states.contains(state)
    }

    /// Records the state of the file, after all connections to it are closed.
    func recordState() {
        guard let state else { return }
        let name = " " + realPath
        let others = Self.states.filter { !$0.hasSuffix(name) }
        Self.write((others + [state]).joined(separator: "\n") + "\n", to: Self.statesPath)
    }

    private static var states: [String] {
        let text = (try? String(contentsOfFile: statesPath, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private var realPath: String { URL(filePath: archivePath).resolvingSymlinksInPath().path }

    /// No program can set the time of the last change of a file's status. Nil if there is no such file.
    private var state: String? {
        var status = stat()
        guard stat(realPath, &status) == 0 else { return nil }
        return "\(status.st_size) \(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) "
            + "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec) \(realPath)"
    }

    private static func write(_ text: String, to path: String) { write(Data(text.utf8), to: path) }

    /// Replaces a file of this folder, for its owner alone. Without it archives are decoded again, and rows
    /// count as unproven, so a failure stops no command.
    private static func write(_ data: Data, to path: String) {
        do {
            let place = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: place, options: .atomic)
        } catch {
            Console.report("tabardctl: \(path): cannot write the file (\(error.localizedDescription))")
        }
    }
}

/// The archives that this process has opened for writing.
enum OpenArchives {
    private static nonisolated(unsafe) var opened: [(archive: Archive, files: CustodyFiles)] = []

    static func add(_ archive: Archive, _ files: CustodyFiles) { opened.append((archive, files)) }

    /// Closes the archives and records their states. The command is over.
    static func close() {
        for (archive, files) in opened {
            try? archive.close()
            files.recordState()
        }
        opened = []
    }
}
