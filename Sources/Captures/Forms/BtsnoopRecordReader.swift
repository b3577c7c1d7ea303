import HCI

/// Reads btsnoop files with the datalinks that `tabard replay` reads, so that they can be unpacked and
/// checked.
///
/// `HCI` has a reader of the same files, in fixed memory, that rewrites the packets. This one keeps each
/// record as it is.
struct BtsnoopRecordReader: RecordReader {
    let datalink: BtsnoopWriter.Datalink

    /// Reads the file's header, which must have arrived.
    init(_ window: inout ByteWindow) throws(CaptureError) {
        let version = window.uint32(at: 8, .big)
        guard version == 1 else { throw .btsnoopVersion(version) }
        let number = window.uint32(at: 12, .big)
        guard let datalink = BtsnoopWriter.Datalink(rawValue: number) else { throw .btsnoopDatalink(number) }
        self.datalink = datalink
        window.skip(Btsnoop.fileHeaderByteCount)
    }

    mutating func next(_ window: inout ByteWindow) throws(CaptureError) -> RecordOutcome? {
        let headerByteCount = Btsnoop.recordHeaderByteCount
        guard window.count >= headerByteCount else { return nil }
        let original = window.uint32(at: 0, .big)
        let included = window.uint32(at: 4, .big)
        let flags = window.uint32(at: 8, .big)
        guard included <= PacketLength.maximum, included <= original,
            !isTooLong(Int(included), flags: flags, window)
        else { throw .damaged(.longRecord(included), offset: window.fileOffset) }
        let byteCount = headerByteCount + Int(included)
        guard window.count >= byteCount else { return nil }
        let stamp = Int64(bitPattern: window.uint64(at: 16, .big))
        let packet = CapturedPacket(
            unixMicroseconds: stamp &- BtsnoopWriter.epochMicroseconds,
            framing: .btsnoop(flags: flags),
            bytes: Array(window.bytes(at: headerByteCount, count: Int(included))),
            originalByteCount: original, droppedPacketCount: window.uint32(at: 12, .big))
        window.skip(byteCount)
        return .packet(packet)
    }

    private func isTooLong(_ included: Int, flags: UInt32, _ window: ByteWindow) -> Bool {
        let data = Btsnoop.recordHeaderByteCount
        switch datalink {
        case .unencapsulated:
            let kind: PacketIndicator = flags & 2 == 0 ? .aclData : flags & 1 == 1 ? .event : .command
            return PacketLength.isExceeded(kind, at: data, included: included, window)
        case .h4:
            guard included > 0, window.count > data else { return false }
            let kind = PacketIndicator(rawValue: window[data])
            return PacketLength.isExceeded(kind, at: data, hasIndicator: true, included: included, window)
        case .monitor:
            let kind = PacketIndicator(monitorCode: UInt16(truncatingIfNeeded: flags))
            return PacketLength.isExceeded(kind, at: data, included: included, window)
        }
    }
}
