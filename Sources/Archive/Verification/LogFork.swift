import EncounterLog

/// Segments of which the archive has another version than the one that the board served last.
struct LogFork: Sendable, Equatable {
    /// The first such segment.
    let firstOrdinal: UInt32
    let segmentCount: Int
    /// True if the board's key has signed this version too. Then two boards use copies of one card, or a card
    /// was put back to an earlier image. Otherwise the version is forged, or was damaged on its way.
    let isSigned: Bool

    /// Nil if every segment of the line belongs to the other line too.
    ///
    /// - Parameters:
    ///   - segments: the stored segments of the line, oldest first.
    ///   - signedThrough: the end of the part of the line that the board has signed.
    init?(
        _ line: LogLine, besides other: LogLine, segments: [UInt32], signedThrough: LogPosition?
    ) {
        let apart = segments.filter { line.branch(of: $0) != other.branch(of: $0) }
        guard let first = apart.first else { return nil }
        firstOrdinal = first
        segmentCount = apart.count
        let start = LogPosition(segmentOrdinal: first, byteOffset: 0)
        isSigned = signedThrough.map { $0 > start } ?? false
    }
}
