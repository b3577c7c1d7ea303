import Archive
import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents
import TestSupport

/// One honest archive of three boards, which the courier gets copies of: two sealed logs and one in clear.
final class CourierWorld {
    nonisolated(unsafe) static let shared = Result { try CourierWorld() }

    let keys: OwnerKeys
    let sealed: CourierBoard
    let other: CourierBoard
    let clear: CourierBoard
    /// A board of the courier that claims to be the first one, with a key of its own.
    let forger: CourierBoard
    /// Another board of the courier, with a log of its own.
    let stranger: CourierBoard
    let contents: CourierContents
    private let path: String
    private var custody = ArchiveCustody(secret: [UInt8](repeating: 7, count: 32))

    private init() throws {
        let scalar = try OwnerScalar()
        keys = try OwnerKeys(scalars: [scalar.bytes])
        sealed = try CourierBoard(1, owner: scalar.publicKey)
        other = try CourierBoard(101, owner: scalar.publicKey)
        clear = try CourierBoard(201, owner: nil)
        forger = try CourierBoard(1, owner: scalar.publicKey, trackCount: 170)
        stranger = try CourierBoard(61, owner: nil)
        path = NSTemporaryDirectory() + "courier-\(UUID().uuidString).sqlite"
        for board in [sealed, other, clear] { custody.knownBoards.add(board.publicKey, of: board.identity) }
        let archive = try Archive(path: path, custody: custody)
        for number in 0...1 {
            for board in [sealed, other, clear] { try board.fetch(number, into: archive, keys: keys) }
        }
        try archive.close()
        custody.hasFilledTables = false
        let reader = try Archive(path: path, access: .reading, keys: keys, custody: custody)
        contents = try CourierContents(reader)
        try reader.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The contacts that the analyst's commands find in an edited archive.
    struct Outcome {
        let contents: CourierContents
        let verifications: [LogVerification]
        /// Whether the archive is refused because of a board's key.
        let isRefused: Bool
    }

    private let lock = NSLock()
    private var outcomes: [String: Outcome] = [:]

    func outcome(of edit: CourierEdit) throws -> Outcome {
        lock.lock()
        defer { lock.unlock() }
        if let known = outcomes[edit.description] { return known }
        var outcome: Outcome?
        try edited(edit.apply) { archive in
            outcome = Outcome(
                contents: try CourierContents(archive),
                verifications: try archive.boards().map {
                    try archive.verify($0.identity, keys: keys)
                }, isRefused: (try? archive.checkKnownBoards()) == nil)
        }
        guard let outcome else { throw CourierError.tooShort([]) }
        outcomes[edit.description] = outcome
        return outcome
    }

    /// Lets the courier edit a copy, and opens it as the analyst's commands do.
    ///
    /// - Parameter writes: opens it first as a command that writes does, and then as this computer's own.
    func edited(
        writes: Bool = false, _ edit: (CourierFile) throws -> Void, access: Archive.Access = .reading,
        analyse: (Archive) throws -> Void
    ) throws {
        let copy = NSTemporaryDirectory() + "courier-\(UUID().uuidString).sqlite"
        defer {
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + ending) }
        }
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let queue = try DatabaseQueue(path: copy)
        try queue.write { try edit(CourierFile(database: $0, world: self)) }
        try queue.close()
        var custody = custody
        if writes {
            try Archive(path: copy, access: .existing, keys: keys, locks: true, custody: custody).close()
            custody.hasFilledTables = true
        }
        let archive = try Archive(path: copy, access: access, keys: keys, custody: custody)
        try analyse(archive)
        try archive.close()
    }
}

/// The facts of an archive about contacts: everything that lists, matches, exports, submissions and reports
/// are made of.
struct CourierContents {
    /// Each fact as text.
    let facts: Set<String>
    let encounterCount: Int

    init(_ archive: Archive) throws {
        var facts: Set<String> = []
        for board in try archive.boards() {
            for boot in try archive.history(of: board.identity, withReadings: true).boots {
                let start = "\(board.identity.short) \(boot.identifier)"
                for anchor in boot.anchors { facts.insert("\(start) \(anchor)") }
                for message in boot.messages { facts.insert("\(start) \(message)") }
                for own in boot.ownIdentities { facts.insert("\(start) \(own)") }
                for track in boot.tracks {
                    let name = "\(start) track \(track.number)"
                    facts.insert(name)
                    if let address = track.address { facts.insert("\(name) \(address.text)") }
                    if let first = track.firstSighting { facts.insert("\(name) from \(first)") }
                    if let last = track.lastReading { facts.insert("\(name) to \(last)") }
                    for identification in track.identifications { facts.insert("\(name) \(identification)") }
                    for sample in track.samples { facts.insert("\(name) \(sample)") }
                    for reading in track.readings { facts.insert("\(name) \(reading)") }
                }
            }
            for key in try archive.ownKeys(of: board.identity, .herald) {
                facts.insert("\(board.identity.short) \(key)")
            }
        }
        self.facts = facts
        encounterCount = try archive.encounters().count
    }
}
