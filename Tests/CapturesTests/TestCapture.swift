import Captures
import FixedMemory
import HCI
import TestSupport

/// A capture under construction, in any form.
struct TestCapture {
    enum Order {
        case big, little
    }

    var bytes: [UInt8] = []
    var order = Order.little

    mutating func add(_ number: some FixedWidthInteger, _ order: Order? = nil) {
        let shifts = stride(from: 0, to: number.bitWidth, by: 8)
        let bytes = shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
        self.bytes += (order ?? self.order) == .little ? bytes : bytes.reversed()
    }

    mutating func add(hex: String) { bytes += [UInt8](hex: hex) }

    // MARK: pcap

    static func pcap(_ linkType: UInt32, magic: UInt32 = 0xa1b2_c3d4, _ order: Order = .little) -> TestCapture
    {
        var capture = TestCapture(order: order)
        capture.add(magic)
        capture.add(UInt16(2))
        capture.add(UInt16(4))
        for number in [0, 0, 262_144, linkType] { capture.add(number) }
        return capture
    }

    /// Adds a record of pcap.
    mutating func addPacket(
        _ hex: String, seconds: UInt32 = 1_000, fraction: UInt32 = 0, original: UInt32? = nil
    ) {
        let packet = [UInt8](hex: hex)
        for number in [seconds, fraction, UInt32(packet.count), original ?? UInt32(packet.count)] {
            add(number)
        }
        bytes += packet
    }

    // MARK: pcapng

    static func pcapng(_ order: Order = .little) -> TestCapture {
        var capture = TestCapture(order: order)
        capture.addSection(order)
        return capture
    }

    mutating func addSection(_ order: Order) {
        self.order = order
        addBlock(0x0a0d_0d0a) {
            $0.add(UInt32(0x1a2b_3c4d))
            $0.add(UInt16(1))
            $0.add(UInt16(0))
            $0.add(UInt64.max)
        }
    }

    mutating func addInterface(
        _ linkType: UInt16, snapLength: UInt32 = 0, resolution: UInt8? = nil, offset: Int64? = nil
    ) {
        addBlock(1) {
            $0.add(linkType)
            $0.add(UInt16(0))
            $0.add(snapLength)
            if let resolution {
                $0.add(UInt16(9))
                $0.add(UInt16(1))
                $0.bytes += [resolution, 0, 0, 0]
            }
            if let offset {
                $0.add(UInt16(14))
                $0.add(UInt16(8))
                $0.add(offset)
            }
        }
    }

    /// Adds an enhanced packet block.
    mutating func addPacket(_ hex: String, interface: UInt32 = 0, units: UInt64, original: UInt32? = nil) {
        let packet = [UInt8](hex: hex)
        addBlock(6) {
            $0.add(interface)
            $0.add(UInt32(units >> 32))
            $0.add(UInt32(truncatingIfNeeded: units))
            $0.add(UInt32(packet.count))
            $0.add(original ?? UInt32(packet.count))
            $0.bytes += packet
        }
    }

    mutating func addBlock(_ type: UInt32, _ body: (inout TestCapture) -> Void) {
        var content = TestCapture(order: order)
        body(&content)
        while content.bytes.count % 4 != 0 { content.bytes.append(0) }
        let length = UInt32(content.bytes.count + 12)
        add(type)
        add(length)
        bytes += content.bytes
        add(length)
    }

    // MARK: PacketLogger

    mutating func addLogged(_ type: UInt8, _ hex: String, seconds: UInt32 = 1_000, microseconds: UInt32 = 0) {
        let packet = [UInt8](hex: hex)
        for number in [UInt32(packet.count + 9), seconds, microseconds] { add(number) }
        bytes += [type] + packet
    }
}

/// The result of a conversion.
struct Converted: Equatable {
    struct Packet: Equatable {
        var hex: String
        var isReceived: Bool
        var microseconds: UInt64 = 1_000_000_000
        var adapter: UInt16 = 0
        var isCut = false
    }

    /// As the reader of `tabard replay` finds them in the result.
    var packets: [Packet] = []
    var datalink: UInt32?
    var file: [UInt8] = []
    var summary = CaptureConversion().summary
    var error: CaptureError?

    init(
        _ capture: [UInt8], entry: ZipEntry? = nil, pieceByteCount: Int = 1 << 20
    ) throws {
        var conversion = CaptureConversion(of: entry)
        var rest = capture[...]
        do throws(CaptureError) {
            repeat {
                if rest.isEmpty {
                    conversion.complete()
                } else {
                    conversion.append(Array(rest.prefix(pieceByteCount)))
                }
                while let piece = try conversion.next() { file += piece }
                if rest.isEmpty { break }
                rest = rest.dropFirst(pieceByteCount)
            } while true
        } catch {
            self.error = error
        }
        summary = conversion.summary
        if file.count >= 16 { datalink = file[12..<16].reduce(0) { $0 << 8 | UInt32($1) } }
        var reader = try BtsnoopReader()
        var offset = 0
        while offset < file.count {
            offset += reader.fill { room in
                let count = min(room.count, file.count - offset)
                for index in 0..<count { room[index] = file[offset + index] }
                return count
            }
            while let record = try reader.next() {
                let packet = reader.packet(of: record)
                packets.append(
                    Packet(
                        hex: packet.indices.map { packet[$0] }.hex, isReceived: record.isReceived,
                        microseconds: record.unixMicroseconds, adapter: record.adapter, isCut: record.isCut))
            }
        }
    }
}
