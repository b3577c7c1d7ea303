import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// A row of the table `encounter`.
struct EncounterRow {
    private let values: StatementArguments

    /// The columns in the order in which this type reads and writes them.
    static let columns = [
        "boardID", "boot", "startMilliseconds", "endMilliseconds", "durationClass", "errorMilliseconds",
        "startErrorMilliseconds", "endErrorMilliseconds", "basis", "notBeforeMilliseconds",
        "notAfterMilliseconds", "scheme", "payload", "isLost", "marks", "hint", "addresses",
        "pseudoAddresses", "model", "manufacturer", "readingCount", "sampleCount", "minimumDBm",
        "maximumDBm", "weightedTenthsDBm", "weight", "writtenReadingCount", "latitudeMicrodegrees",
        "longitudeMicrodegrees", "boots", "firstBoot", "firstTrack", "likeness",
        "timeoutMilliseconds",
    ]

    private static let insertion = """
        INSERT INTO encounter (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// The boot from which the times of a piece count; nil if they are on the wall clock.
    static func boot(of piece: EncounterPiece) -> Int64? {
        guard case .sinceStart(let boot) = piece.encounter.timeline else { return nil }
        return Int64(bitPattern: boot)
    }

    init(_ piece: EncounterPiece, boardID: Int64) {
        let summary = piece.encounter.summary
        let span = summary.span
        let identity = summary.identity
        let rssi = summary.signal.rssi
        values = [
            boardID, Self.boot(of: piece), span.start.milliseconds, span.end.milliseconds,
            OverlapQuery.durationClass(summary.duration), summary.clockError, span.startError,
            span.endError, span.basis.rawValue, span.notBefore, span.notAfter, identity?.scheme.rawValue,
            identity.map { Data($0.lostHash?.bytes ?? $0.payload) }, identity?.lostHash != nil,
            summary.identityMarks.rawValue, summary.peer.foundBy?.rawValue,
            Data(summary.peer.addresses.flatMap { $0.bytes + [$0.type] }),
            Data(summary.peer.pseudoAddresses.joined()), summary.peer.model, summary.peer.manufacturer,
            summary.signal.readingCount, summary.signal.sampleCount, rssi?.minimumDBm, rssi?.maximumDBm,
            rssi?.weightedTenths, rssi?.weight, summary.signal.writtenReadingCount,
            summary.position?.latitudeMicrodegrees, summary.position?.longitudeMicrodegrees,
            Data(summary.boots.flatMap(\.leastSignificantFirst)), Int64(bitPattern: piece.source.boot),
            piece.source.track, piece.key.digest, piece.encounterTimeout,
        ]
    }

    func insert(into database: Database) throws {
        try database.cachedStatement(sql: Self.insertion).execute(arguments: values)
    }
}

extension EncounterSummary {
    /// - Parameter row: has ``EncounterRow/columns`` first, in their order, which is faster than by name.
    init(row: Row, board: LogIdentity) {
        var span = EncounterSpan(
            timeline: .wallClock(error: row[5]), start: TimelinePoint(milliseconds: row[2]),
            end: TimelinePoint(milliseconds: row[3]))
        if let boot: Int64 = row[1] { span.timeline = .sinceStart(boot: UInt64(bitPattern: boot)) }
        span.startError = row[6]
        span.endError = row[7]
        span.basis = ClockBasis(rawValue: row[8]) ?? .none
        span.notBefore = row[9]
        span.notAfter = row[10]
        let hint: UInt8? = row[15]
        var peer = PeerDescription(
            foundBy: hint.map(PeerHint.init),
            addresses: Self.parts(row[16], of: 7).map { RecordedAddress(bytes: $0.dropLast(), type: $0[6]) })
        peer.pseudoAddresses = Self.parts(row[17], of: 6)
        peer.model = row[18]
        peer.manufacturer = row[19]
        self.init(
            board: board, identity: Identity(scheme: row[11], payload: row[12], isLost: row[13]), span: span,
            peer: peer,
            signal: EncounterSignal(
                readingCount: row[20], sampleCount: row[21],
                rssi: RSSISummary(
                    minimumDBm: row[22], maximumDBm: row[23], weightedTenths: row[24], weight: row[25]),
                writtenReadingCount: row[26]),
            boots: Self.parts(row[29], of: 8).map(UInt64.init(leastSignificantFirst:)))
        identityMarks = IdentityMarks(rawValue: row[14])
        if let latitude: Int32 = row[27], let longitude: Int32 = row[28] {
            position = GeographicPosition(latitudeMicrodegrees: latitude, longitudeMicrodegrees: longitude)
        }
    }

    private static func parts(_ data: Data, of byteCount: Int) -> [[UInt8]] {
        let bytes = [UInt8](data)
        return stride(from: 0, through: bytes.count - byteCount, by: byteCount).map { start in
            Array(bytes[start..<start + byteCount])
        }
    }
}

extension RSSISummary {
    /// Nil if no sample was kept.
    init?(minimumDBm: Int?, maximumDBm: Int?, weightedTenths: Int?, weight: Int?) {
        guard let minimumDBm, let maximumDBm, let weightedTenths, let weight else { return nil }
        self.init(
            minimumDBm: minimumDBm, maximumDBm: maximumDBm, weightedTenths: weightedTenths, weight: weight)
    }
}

extension Identity {
    /// - Parameter payload: the bytes of the hash of a lost identity.
    init?(scheme: UInt8?, payload: Data?, isLost: Bool) {
        guard let scheme, let payload else { return nil }
        let code = SchemeCode(rawValue: scheme)
        if isLost {
            self.init(lost: IdentityHash(bytes: [UInt8](payload)), scheme: code)
        } else {
            self.init(scheme: code, payload: [UInt8](payload))
        }
    }
}

extension UInt64 {
    fileprivate var leastSignificantFirst: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }

    fileprivate init(leastSignificantFirst bytes: [UInt8]) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
