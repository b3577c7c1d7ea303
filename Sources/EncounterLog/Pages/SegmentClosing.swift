import FixedMemory

/// A segment header's account of the segment before its own, and of when that was complete. A whole segment
/// header is large to pass around.
struct SegmentClosing {
    /// The start of the agent that completed the segment.
    let bootIdentifier: UInt64
    /// Nil if unknown.
    let summary: SegmentSummary?
    let day: LogDay?

    /// - Parameter pageStart: a page's header, and the part of its segment header that has its own, already
    ///   verified checksum.
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
