/// Reads pcapng files: section headers, interfaces, and the three kinds of blocks with packets. It skips
/// other blocks. Source: draft-ietf-opsawg-pcapng.
///
/// Each interface with HCI packets is an adapter of its own. If one of them is the Linux monitor, which shows
/// the packets of all adapters, packets of the other interfaces would be there twice, and are skipped.
struct PcapngReader: RecordReader {
    let datalink = BtsnoopWriter.Datalink.monitor
    private(set) var foreignLinkType: UInt32?

    private var order = ByteOrder.little
    private var interfaces: [Interface] = []
    /// The number of interfaces with HCI of one adapter, and whether one has that of all.
    private var adapterCount = 0
    private var hasMonitor = false

    static let sectionHeader: UInt32 = 0x0a0d_0d0a
    private static let byteOrderMagic: UInt32 = 0x1a2b_3c4d
    /// The smallest block: type (4), length (4), and the length again (4).
    static let minimumBlockByteCount = 12
    /// A larger block is skipped without the check of its second length, and may not describe anything.
    private static let maximumDescriptionByteCount: UInt32 = 1 << 20
    /// A file with more interfaces in a section is damaged.
    private static let maximumInterfaceCount = 65_536

    private struct Interface {
        var linkType: UInt32
        /// Nil if the packets are not HCI packets.
        var link: LinkLayer?
        var snapLength: UInt32
        var clock: PcapngClock
    }

    private enum BlockType: UInt32 {
        case interface = 1
        case packet = 2
        case simplePacket = 3
        case enhancedPacket = 6

        /// The length of a block without options and data.
        var minimumByteCount: UInt32 {
            switch self {
            case .interface: 20
            case .packet, .enhancedPacket: 32
            case .simplePacket: 16
            }
        }
    }

    mutating func next(_ window: inout ByteWindow) throws(CaptureError) -> RecordOutcome? {
        guard window.count >= Self.minimumBlockByteCount else { return nil }
        // The section header's number is the same in either byte order.
        let isSection = window.uint32(at: 0, order) == Self.sectionHeader
        if isSection { order = try Self.order(ofSection: window) }
        let length = window.uint32(at: 4, order)
        let type = BlockType(rawValue: window.uint32(at: 0, order))
        let minimum = isSection ? 28 : type?.minimumByteCount ?? UInt32(Self.minimumBlockByteCount)
        guard length >= minimum, length % 4 == 0 else {
            throw .damaged(.impossibleLength(length), offset: window.fileOffset)
        }
        guard length <= Self.maximumDescriptionByteCount else {
            guard !isSection, type == nil else {
                throw .damaged(.longRecord(length), offset: window.fileOffset)
            }
            window.skip(Int(length))
            return .structure
        }
        if window.count >= Int(length) {
            let again = window.uint32(at: Int(length) - 4, order)
            guard again == length else {
                throw .damaged(.unequalLengths(length, again), offset: window.fileOffset)
            }
        }
        if let type, type != .interface { return try packet(type, Int(length), &window) }
        guard window.count >= Int(length) else { return nil }
        if isSection {
            interfaces = []
            adapterCount = 0
            hasMonitor = false
        }
        if type == .interface { try addInterface(Int(length), window) }
        window.skip(Int(length))
        return .structure
    }

    private static func order(ofSection window: ByteWindow) throws(CaptureError) -> ByteOrder {
        for order in [ByteOrder.big, .little]
        where window.uint32(at: 8, order) == byteOrderMagic { return order }
        throw .damaged(.byteOrder(window.uint32(at: 8, .big)), offset: window.fileOffset)
    }

    // MARK: Interfaces

    private mutating func addInterface(_ length: Int, _ window: ByteWindow) throws(CaptureError) {
        guard interfaces.count < Self.maximumInterfaceCount else {
            throw .damaged(.unknownInterface(UInt32(Self.maximumInterfaceCount)), offset: window.fileOffset)
        }
        let number = UInt32(window.uint16(at: 8, order))
        var link: LinkLayer?
        if let type = LinkType(rawValue: number) {
            link = LinkLayer(type, adapter: UInt16(clamping: adapterCount))
            if type == .linuxMonitor { hasMonitor = true } else { adapterCount += 1 }
        }
        interfaces.append(
            Interface(
                linkType: number, link: link, snapLength: window.uint32(at: 12, order),
                clock: clock(ofInterface: length, window)))
    }

    /// Reads the options of an interface. Each has a code (2), a length (2), and a value that is padded to
    /// four bytes.
    private func clock(ofInterface length: Int, _ window: ByteWindow) -> PcapngClock {
        var clock = PcapngClock()
        var offset = 16
        let end = length - 4
        while offset + 4 <= end {
            let code = window.uint16(at: offset, order)
            let byteCount = Int(window.uint16(at: offset + 2, order))
            offset += 4
            guard code != 0, offset + byteCount <= end else { break }
            switch (code, byteCount) {
            case (9, 1): clock.resolution = window[offset]
            case (14, 8): clock.offsetSeconds = Int64(bitPattern: window.uint64(at: offset, order))
            default: break
            }
            offset += (byteCount + 3) & ~3
        }
        return clock
    }

    // MARK: Packets

    private mutating func packet(
        _ type: BlockType, _ length: Int, _ window: inout ByteWindow
    ) throws(CaptureError) -> RecordOutcome? {
        guard window.count >= Int(type.minimumByteCount) else { return nil }
        let number: UInt32 =
            switch type {
            case .enhancedPacket: window.uint32(at: 8, order)
            case .packet: UInt32(window.uint16(at: 8, order))
            case .simplePacket, .interface: 0
            }
        guard let index = Int(exactly: number), index < interfaces.count else {
            throw .damaged(.unknownInterface(number), offset: window.fileOffset)
        }
        let interface = interfaces[index]
        guard let link = interface.link else {
            foreignLinkType = interface.linkType
            return skip(length, &window)
        }
        guard link.type == .linuxMonitor || !hasMonitor else { return skip(length, &window) }
        let place = self.place(type, length, interface, window)
        guard place.offset + Int(place.included) <= length - 4 else {
            throw .damaged(.longRecord(place.included), offset: window.fileOffset)
        }
        return try interfaces[index].link?.take(place, &window)
    }

    private func skip(_ length: Int, _ window: inout ByteWindow) -> RecordOutcome? {
        guard window.count >= length else { return nil }
        window.skip(length)
        return .skipped
    }

    private func place(
        _ type: BlockType, _ length: Int, _ interface: Interface, _ window: ByteWindow
    ) -> LinkLayer.Place {
        guard type != .simplePacket else {
            // The block has no captured length: the packet ends with the block or at the snap length.
            let original = window.uint32(at: 8, order)
            let limit = interface.snapLength == 0 ? UInt32.max : interface.snapLength
            return LinkLayer.Place(
                offset: 12, included: min(original, limit, UInt32(length - 16)), original: original,
                recordByteCount: length)
        }
        let units = UInt64(window.uint32(at: 12, order)) << 32 | UInt64(window.uint32(at: 16, order))
        return LinkLayer.Place(
            offset: 28, included: window.uint32(at: 20, order), original: window.uint32(at: 24, order),
            recordByteCount: length, unixMicroseconds: interface.clock.unixMicroseconds(units))
    }
}
