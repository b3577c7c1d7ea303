import FixedMemory

/// What an opening says of the segment before its own, and when that was closed. An opening itself is large to hand about.
struct SegmentClosing {
    /// Of the start of the agent that closed it.
    let bootIdentifier: UInt64
    /// Nil if nobody knows.
    let summary: SegmentSummary?
    let day: LogDay?

    /// - Parameter pageStart: a page's header, and the part of its opening that has its own checksum, which was checked.
    init?(pageStart: Bytes<86>) {
        var reader = ByteReader(pageStart.span)
        do throws(EndOfBytes) {
            _ = try reader.readBytes(PageHeader.byteCount + 12)
            bootIdentifier = try reader.readUInt64()
            _ = try reader.readBytes(16)
            summary = try SegmentSummary.read(&reader)
            day = LogDay(rawValue: try reader.readUInt8())
        } catch {
            return nil
        }
    }
}
