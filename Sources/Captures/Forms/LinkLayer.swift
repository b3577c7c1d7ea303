import HCI

/// Packets of one interface, as pcap and pcapng have them.
struct LinkLayer {
    let type: LinkType
    /// The number by which btsnoop tells this adapter from others, if the packets do not have one.
    private let adapter: UInt16
    private var directions = DirectionInference()

    init(_ type: LinkType, adapter: UInt16 = 0) {
        self.type = type
        self.adapter = adapter
    }

    /// A packet at an offset of the window.
    struct Place {
        var offset: Int
        var included: UInt32
        var original: UInt32
        /// The bytes of the record from the window's beginning.
        var recordByteCount: Int
        var unixMicroseconds: Int64?
    }

    /// Takes the record from the window.
    ///
    /// - Returns: nil if the record has not arrived as a whole.
    mutating func take(_ place: Place, _ window: inout ByteWindow) throws(CaptureError) -> RecordOutcome? {
        let header = type.headerByteCount
        guard Int(place.included) >= header else {
            throw .damaged(.impossibleLength(place.included), offset: window.fileOffset)
        }
        let included = Int(place.included) - header
        let data = place.offset + header
        guard place.included <= PacketLength.maximum, !isTooLong(included, at: data, window) else {
            throw .damaged(.longRecord(place.included), offset: window.fileOffset)
        }
        guard window.count >= place.recordByteCount else { return nil }
        let bytes = Array(window.bytes(at: data, count: included))
        let packet = CapturedPacket(
            unixMicroseconds: place.unixMicroseconds, framing: framing(bytes, at: place.offset, window),
            bytes: bytes,
            originalByteCount: max(place.original, place.included) - UInt32(header))
        window.skip(place.recordByteCount)
        return .packet(packet)
    }

    private func isTooLong(_ included: Int, at data: Int, _ window: ByteWindow) -> Bool {
        switch type {
        case .h4, .h4WithDirection:
            guard included > 0, window.count > data else { return false }
            let kind = PacketIndicator(rawValue: window[data])
            return PacketLength.isExceeded(kind, at: data, hasIndicator: true, included: included, window)
        case .linuxMonitor:
            guard window.count >= data else { return false }
            let kind = PacketIndicator(monitorCode: window.uint16(at: data - 2, .big))
            return PacketLength.isExceeded(kind, at: data, included: included, window)
        }
    }

    private mutating func framing(
        _ bytes: [UInt8], at offset: Int, _ window: ByteWindow
    ) -> CapturedPacket.Framing {
        switch type {
        case .h4: .h4(isReceived: directions.isReceived(bytes), adapter: adapter)
        case .h4WithDirection:
            .h4(isReceived: window.uint32(at: offset, .big) & 1 == 1, adapter: adapter)
        case .linuxMonitor:
            .monitor(adapter: window.uint16(at: offset, .big), code: window.uint16(at: offset + 2, .big))
        }
    }
}
