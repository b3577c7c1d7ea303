import FixedMemory
import HCI

/// The input is the number of bytes that arrive at once (1), then a byte stream from a controller.
enum EventTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let pieceByteCount = max(1, Int(script.byte()))
        let stream = script.rest()
        let whole = try packets(in: stream, pieceByteCount: stream.count)
        let pieces = try packets(in: stream, pieceByteCount: pieceByteCount)
        try require(whole == pieces, "the same packets however the stream is split")
        for packet in whole { try read(packet) }
        // A transport that keeps packet boundaries delivers any packet, plausible or not.
        try read(Array(stream.prefix(H4Framer.longestPacketByteCount)))
    }

    private static func packets(in stream: [UInt8], pieceByteCount: Int) throws(FuzzFinding) -> [[UInt8]] {
        guard var framer = try? H4Framer(capacity: 2 * H4Framer.longestPacketByteCount) else { return [] }
        var packets: [[UInt8]] = []
        var offset = 0
        while offset < stream.count {
            let taken = framer.fill { room in
                let count = min(room.count, pieceByteCount, stream.count - offset)
                for index in 0..<count { room[index] = stream[offset + index] }
                return count
            }
            try require(taken > 0, "an emptied framer has room")
            offset += taken
            while let range = framer.next() { packets.append(framer.packet(at: range).array) }
        }
        let total = packets.reduce(Int(framer.skippedByteCount)) { $0 + $1.count }
        let waiting = stream.count - total
        try require(waiting >= 0 && waiting < H4Framer.longestPacketByteCount, "each byte is in one place")
        return packets
    }

    static func read(_ packet: [UInt8]) throws(FuzzFinding) {
        guard let event = try? Event(packet.span) else { return }
        switch event {
        case .advertisingReports(var reports): try readReports(&reports, of: packet)
        case .extendedAdvertisingReports(var reports): try readReports(&reports, of: packet)
        case .completedPackets(var list):
            var count = 0
            while list.next() != nil { count += 1 }
            try require(4 * count <= packet.count, "at most a handle for four bytes")
        case .commandComplete(_, _, let returned):
            try require(returned.array == Array(packet.dropFirst(6)), "what is returned is all of it")
        default: break
        }
    }

    private static func readReports(_ reports: inout AdvertisingReports, of packet: [UInt8])
        throws(FuzzFinding)
    {
        var offset = 5
        var count = 0
        while let report = reports.next() {
            count += 1
            let end = offset + 10 + report.data.count
            try require(end <= packet.count, "a report ends where its event does")
            let address = report.address.bytes.span.array
            let data = [UInt8(report.data.count)] + report.data.array
            let head = [report.kind.rawValue, packet[offset + 1]]
            try require(head + address + data == Array(packet[offset..<end - 1]), "a report as sent")
            let isMeasured = Int8(bitPattern: packet[end - 1]) <= 20 && packet[end - 1] != 128
            try require((report.rssi != nil) == isMeasured, "RSSI only where it was measured")
            offset = end
        }
        try requireAll(count, isDamaged: reports.isDamaged, of: packet)
    }

    private static func readReports(_ reports: inout ExtendedAdvertisingReports, of packet: [UInt8])
        throws(FuzzFinding)
    {
        var offset = 5
        var count = 0
        while let report = reports.next() {
            count += 1
            let end = offset + 24 + report.data.count
            try require(end <= packet.count, "an extended report ends where its event does")
            try require(report.data.count == Int(packet[offset + 23]), "its data are as long as it says")
            try require(report.data.array == Array(packet[offset + 24..<end]), "its data are as sent")
            try require(
                report.address.bytes.span.array == Array(packet[offset + 3..<offset + 9]),
                "its address is as sent")
            // Of an advert in several parts only the last one carries the RSSI.
            let isContinued = packet[offset] >> 5 & 3 == 1
            let measured = packet[offset + 13]
            let isMeasured = !isContinued && Int8(bitPattern: measured) <= 20 && measured != 128
            try require((report.rssi != nil) == isMeasured, "RSSI only where it was measured, and once")
            offset = end
        }
        try requireAll(count, isDamaged: reports.isDamaged, of: packet)
    }

    /// `count` is the number of reports of either kind that were found.
    private static func requireAll(_ count: Int, isDamaged: Bool, of packet: [UInt8]) throws(FuzzFinding) {
        let announced = packet.count > 4 ? Int(packet[4]) : 0
        try require(count <= announced, "no more reports than announced")
        try require(isDamaged == (count < announced || packet.count == 4), "reports that lack are noted")
    }
}
