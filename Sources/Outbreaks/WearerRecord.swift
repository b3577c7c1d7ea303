import Archive
import EncounterLog
import FixedMemory
import LogContents
import Schemes
import Simulator

/// The records on a wearer's computer after it has fetched the board's log.
struct WearerRecord: Sendable {
    /// The wearer's number; the patient is 0.
    let wearer: Int
    let archive: Archive
    private let board: LogIdentity
    private(set) var history: BoardHistory
    private(set) var encounters: [Encounter]

    init(_ log: Outbreak.FetchedLog, of wearer: Int) throws {
        let name = "wearer \(wearer)"
        // The wearer's own computer reads the card itself, so no signature is needed.
        let archive = try Archive(inMemoryNamed: name, admitting: .unverified)
        var board: LogIdentity?
        for segment in log.segments {
            guard let segmentHeader = SegmentHeader(pageStart: segment.bytes.span),
                let identity = LogIdentity([UInt8](copying: segmentHeader.logIdentity.span))
            else { continue }
            board = identity
            try archive.register(identity, blockByteCount: log.blockByteCount, name: name)
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: identity)
            if segment.isComplete {
                try archive.markComplete(segment: segment.ordinal, of: identity, isVerified: true)
            }
        }
        guard let board else { throw WearerRecordError.noLog(wearer: wearer) }
        try archive.decodePages(of: board)
        self.wearer = wearer
        self.archive = archive
        self.board = board
        history = try archive.history(of: board)
        encounters = EncounterAssembly.encounters(of: history)
    }

    /// The keys that the board has made itself.
    func ownKeys(of scheme: SchemeID) throws -> [OwnKey] { try archive.ownKeys(of: board, scheme) }

    /// The encounters of a scheme in an interval.
    func encounters(of scheme: SchemeID, in interval: Range<WallClockTime>) -> [Encounter] {
        var filter = EncounterFilter()
        filter.scheme = SchemeCode(scheme)
        filter.since = interval.lowerBound
        filter.until = interval.upperBound
        return encounters.filter(filter.admits)
    }

    /// Forgets expired contacts as `tabardctl forget --expired` does at a time, in seconds since 1970.
    mutating func forgetExpired(at seconds: UInt64) throws {
        let plan = try archive.redactionPlan(
            of: board, keeping: ContactRetention(), keys: .none, now: WallClockTime(seconds: seconds))
        try archive.redact(plan, keys: .none)
        history = try archive.history(of: board)
        encounters = EncounterAssembly.encounters(of: history)
    }

    /// Whether the board has received anything since its last start.
    var hasListenedLately: Bool { history.boots.last?.coverage.isEmpty == false }
}

enum WearerRecordError: Error {
    case noLog(wearer: Int)
}
