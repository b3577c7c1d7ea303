import DeviceSync
import EncounterLog

/// The ages of a board's segments. Each segment header contains the day of its creation in plaintext. A
/// segment contains no entries newer than the next segment's header.
struct SegmentAges {
    let client: BoardClient
    let segments: [SyncIndexSegment]

    /// The first segment that may contain entries of this day or later; earlier segments contain none. A
    /// binary search reads the days of few segments, because days ascend in a log.
    func firstSegment(notBefore day: LogDay) throws(LinkError) -> UInt32 {
        guard let oldest = segments.first else { return 0 }
        // The last segment whose header is known to be older than the day, or the oldest segment.
        var older = 0
        var end = segments.count
        while end - older > 1 {
            let middle = older + (end - older) / 2
            guard let (index, made) = try known(middle..<end) else {
                end = middle
                continue
            }
            if made.age(on: day) > 0 { older = index } else { end = middle }
        }
        return older == 0 ? oldest.ordinal : segments[older].ordinal
    }

    /// The first of these segments whose header contains a known day.
    private func known(_ indices: Range<Int>) throws(LinkError) -> (index: Int, day: LogDay)? {
        for index in indices {
            if let day = try day(of: segments[index].ordinal) { return (index, day) }
        }
        return nil
    }

    private func day(of ordinal: UInt32) throws(LinkError) -> LogDay? {
        let start: BoardClient.Chunk
        do throws(LinkError) { start = try client.chunk(of: .segment(ordinal), at: 0) } catch {
            // The board overwrote the segment meanwhile.
            if case .refused(_, .fileNotFound) = error { return nil }
            throw error
        }
        return SegmentHeader(pageStart: start.bytes.span)?.day
    }
}
