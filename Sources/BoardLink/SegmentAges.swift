import DeviceSync
import EncounterLog

/// How old a board's segments are, by their openings, which say in the clear on which day they were made: what stands in a
/// segment is no newer than the opening of the one behind it.
struct SegmentAges {
    let client: BoardClient
    let segments: [SyncIndexSegment]

    /// The first segment that may hold something of this day or a later one; those before it do not. Days are read of few
    /// segments, since they follow one another in a log.
    func firstSegment(notBefore day: LogDay) throws(LinkError) -> UInt32 {
        guard let oldest = segments.first else { return 0 }
        // The last segment whose opening is known to be older; none is before the oldest.
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

    /// The first of these segments of which the board knew the day.
    private func known(_ indices: Range<Int>) throws(LinkError) -> (index: Int, day: LogDay)? {
        for index in indices {
            if let day = try day(of: segments[index].ordinal) { return (index, day) }
        }
        return nil
    }

    private func day(of ordinal: UInt32) throws(LinkError) -> LogDay? {
        let start: BoardClient.Chunk
        do throws(LinkError) { start = try client.chunk(of: .segment(ordinal), at: 0) } catch {
            // It was overwritten meanwhile.
            if case .refused(_, .fileNotFound) = error { return nil }
            throw error
        }
        return SegmentOpening(pageStart: start.bytes.span)?.day
    }
}
