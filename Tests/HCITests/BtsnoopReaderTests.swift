import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct BtsnoopReaderTests {
    private struct Record: Equatable {
        var packet: String
        var isReceived: Bool
        var adapter: UInt16 = 0
        var isCut = false
        var milliseconds: UInt64 = 1_000
    }

    /// A capture file of these flags and data; the first record's time is one second after 1970 began.
    private func capture(datalink: UInt32, _ records: [(flags: UInt32, data: String)]) throws -> [UInt8] {
        var file = FixedBuffer<4096>()
        try file.append("btsnoop\0")
        try file.append(bigEndian: 1 as UInt32)
        try file.append(bigEndian: datalink)
        for record in records {
            let data = [UInt8](hex: record.data)
            try file.append(bigEndian: UInt32(data.count))
            try file.append(bigEndian: UInt32(data.count))
            try file.append(bigEndian: record.flags)
            try file.append(bigEndian: 0 as UInt32)
            try file.append(bigEndian: 0x00dc_ddb3_0f2f_8000 + 1_000_000 as UInt64)
            try file.append(data.span)
        }
        return (0..<file.count).map { file[$0] }
    }

    private func read(_ file: [UInt8], pieceByteCount: Int = 5_000) throws -> (
        records: [Record], waiting: Int
    ) {
        var reader = try BtsnoopReader()
        var records: [Record] = []
        var offset = 0
        while offset < file.count {
            offset += reader.fill { room in
                let count = min(room.count, pieceByteCount, file.count - offset)
                for index in 0..<count { room[index] = file[offset + index] }
                return count
            }
            while let record = try reader.next() {
                guard record.kind != nil else { continue }
                let packet = reader.packet(of: record)
                records.append(
                    Record(
                        packet: packet.indices.map { packet[$0] }.hex, isReceived: record.isReceived,
                        adapter: record.adapter, isCut: record.isCut,
                        milliseconds: record.unixMicroseconds / 1000))
            }
        }
        return (records, reader.waitingByteCount)
    }

    @Test func `H4 packets are returned unchanged`() throws {
        let file = try capture(datalink: 1002, [(2, "01030c00"), (3, "040e0401030c00"), (1, "0240200100ff")])
        #expect(
            try read(file).records == [
                Record(packet: "01030c00", isReceived: false),
                Record(packet: "040e0401030c00", isReceived: true),
                Record(packet: "0240200100ff", isReceived: true),
            ])
    }

    @Test func `without H4 indicators, the flags give a packet's kind`() throws {
        let file = try capture(
            datalink: 1001, [(2, "030c00"), (3, "0e0401030c00"), (0, "40000100ff"), (1, "")])
        #expect(
            try read(file).records == [
                Record(packet: "01030c00", isReceived: false),
                Record(packet: "040e0401030c00", isReceived: true),
                Record(packet: "0240000100ff", isReceived: false), Record(packet: "02", isReceived: true),
            ])
    }

    @Test func `the monitor's records give adapter and kind, and its other records are not packets`() throws {
        let file = try capture(
            datalink: 2001,
            [
                (0x0001_0000, "00"), (0x0001_0002, "030c00"), (0x0001_0003, "0e0401030c00"),
                (0xffff_000c, "4c"),
                (0x0002_0004, "40000100ff"), (0x0002_0005, "40200100ff"),
            ])
        #expect(
            try read(file).records == [
                Record(packet: "01030c00", isReceived: false, adapter: 1),
                Record(packet: "040e0401030c00", isReceived: true, adapter: 1),
                Record(packet: "0240000100ff", isReceived: false, adapter: 2),
                Record(packet: "0240200100ff", isReceived: true, adapter: 2),
            ])
    }

    @Test func `a file may end anywhere`() throws {
        let file = try capture(datalink: 1002, [(2, "01030c00"), (3, "040e0401030c00")])
        for count in 0...file.count {
            let found = try read(Array(file.prefix(count)))
            let whole = count < 44 ? 0 : count < file.count ? 1 : 2
            #expect(found.records.count == whole)
            #expect(
                found.waiting
                    == (count < 16 ? count : count < 44 ? count - 16 : count < file.count ? count - 44 : 0))
        }
    }

    @Test func `the result does not depend on the pieces in which a file is read`() throws {
        let file = try capture(datalink: 1002, [(2, "01030c00"), (3, "040e0401030c00"), (1, "0240200100ff")])
        let whole = try read(file).records
        for count in [1, 2, 7, 23, 24, 25] { #expect(try read(file, pieceByteCount: count).records == whole) }
    }

    @Test func `a packet that was captured in part is marked`() throws {
        var file = try capture(datalink: 1002, [(1, "0240200100ff")])
        file[19] = 40
        #expect(try read(file).records == [Record(packet: "0240200100ff", isReceived: true, isCut: true)])
    }

    @Test func `times before 1970 become zero`() throws {
        var file = try capture(datalink: 1002, [(1, "0240200100ff")])
        for index in 32..<40 { file[index] = 0 }
        #expect(try read(file).records.map(\.milliseconds) == [0])
    }

    @Test func `a file that is not a capture is refused`() throws {
        let file = try capture(datalink: 1002, [])
        #expect(throws: BtsnoopError.notBtsnoop) {
            try read(Array("\u{a}\u{d}\u{d}\u{a} a pcapng file".utf8))
        }
        #expect(throws: BtsnoopError.unsupportedVersion(2)) {
            try read(Array(file[..<11]) + [2] + Array(file[12...]))
        }
        #expect(throws: BtsnoopError.unsupportedDatalink(1004)) { try read(capture(datalink: 1004, [])) }
    }

    /// Both lengths of the second record claim what follows it, up to the file's end and beyond.
    @Test(arguments: [1002, 1001, 2001] as [UInt32])
    func `a record that is much longer than the packet in it is damage, wherever the file ends`(
        datalink: UInt32
    ) throws {
        let event = datalink == 1002 ? "040e0401030c00" : "0e0401030c00"
        let flags: UInt32 = 3
        let second = 16 + 24 + event.count / 2
        var file = try capture(
            datalink: datalink, Array(repeating: (flags, event), count: 20))
        for place in [second, second + 4] {
            file[place + 2] = 0xea
            file[place + 3] = 0x60
        }
        #expect(throws: BtsnoopError.absurdLength(60_000, offset: UInt64(second))) { try read(file) }
        #expect(throws: BtsnoopError.absurdLength(60_000, offset: UInt64(second))) {
            try read(file, pieceByteCount: 1)
        }
    }

    /// The reader knows no length of such a packet, so that of the record is bounded.
    @Test(arguments: [(1002, 1, "77030c00"), (2001, 12, "41424300")] as [(UInt32, UInt32, String)])
    func `a long record without an HCI packet is damage`(
        datalink: UInt32, flags: UInt32, packet: String
    ) throws {
        var file = try capture(datalink: datalink, Array(repeating: (flags, packet), count: 3))
        _ = try read(file)
        for place in [16, 20] {
            file[place + 2] = 0xea
            file[place + 3] = 0x60
        }
        #expect(throws: BtsnoopError.absurdLength(60_000, offset: 16)) { try read(file) }
    }

    @Test func `a record that is longer than its packet was on the line is damage`() throws {
        var file = try capture(datalink: 1002, [(1, "0240200100ff")])
        file[19] = 5
        #expect(throws: BtsnoopError.absurdLength(6, offset: 16)) { try read(file) }
    }

    @Test func `the packets that the capturing program lost are counted`() throws {
        var file = try capture(datalink: 1002, [(1, "0240200100ff"), (1, "0240200100ff")])
        file[46 + 14] = 0x1e
        file[46 + 15] = 0x61
        var reader = try BtsnoopReader()
        _ = reader.fill { room in
            for index in file.indices { room[index] = file[index] }
            return file.count
        }
        while try reader.next() != nil {}
        #expect(reader.droppedPacketCount == 7_777)
    }

    @Test func `an absurd length is damage, and the error has its offset`() throws {
        var file = try capture(datalink: 1002, [(2, "01030c00"), (3, "040e0401030c00")])
        file[44 + 4] = 0x7f
        #expect(throws: BtsnoopError.absurdLength(0x7f00_0007, offset: 44)) { try read(file) }
    }
}
