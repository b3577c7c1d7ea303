import Captures
import TestSupport
import Testing

@Suite struct RefusalTests {
    private static let files: [(content: [UInt8], file: ForeignFile)] = [
        ([], .empty), (Array("btsnoop\0".utf8), .cutHeader), ([0xd4, 0xc3, 0xb2, 0xa1], .cutHeader),
        ([0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0], .cutHeader),
        (Array("\u{feff}\n<!DOCTYPE html><html>".utf8), .html), (Array("<HTML>".utf8), .html),
        (Array("version https://git-lfs.github.com/spec/v1\n".utf8), .lfsPointer),
        (Array("--- BEGIN:BTSNOOP_LOG_SUMMARY (9 bytes in) ---\n".utf8), .btsnooz),
        (Array("> HCI Event: Command Complete\n".utf8), .text),
        (Array("snoop\0\0\0".utf8) + [0, 0, 0, 2, 0, 0, 0, 4], .snoop),
        (Array("sysdiagnose".utf8) + [UInt8](repeating: 0, count: 246) + Array("ustar\0".utf8), .tar),
        ([0x50, 0x4b, 3, 4, 0, 0], .zip), (Array("BZh91AY&SY\0\0".utf8), .unknown(Array("BZh91AY&".utf8))),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], .unknown([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])),
        ([UInt8](repeating: 0, count: 5_000), .unknown([UInt8](repeating: 0, count: 8))),
    ]

    @Test(arguments: files)
    func `a file that is no capture is recognised by its first bytes`(
        _ content: [UInt8], _ file: ForeignFile
    ) throws {
        let converted = try Converted(content)
        #expect(converted.error == .notCapture(file))
        #expect(converted.file.isEmpty)
    }

    @Test(arguments: [0, 1003, 1004, 2002] as [UInt32])
    func `a btsnoop file of another datalink is refused with its number`(_ datalink: UInt32) throws {
        var capture = TestCapture(order: .big)
        capture.bytes = Array("btsnoop\0".utf8)
        capture.add(UInt32(1))
        capture.add(datalink)
        #expect(try Converted(capture.bytes).error == .btsnoopDatalink(datalink))
        capture.bytes[11] = 2
        #expect(try Converted(capture.bytes).error == .btsnoopVersion(2))
    }

    @Test func `pcap with the record headers of a patched kernel is refused`() throws {
        #expect(try Converted(TestCapture.pcap(187, magic: 0xa1b2_cd34).bytes).error == .modifiedPcap)
    }

    @Test func `a btsnoop record that is longer than its packet is damaged`() throws {
        for (datalink, flags, hex) in [
            (1001, 3, "0e0401030c00"), (1002, 3, "040e0401030c00"), (2001, 3, "0e0401030c00"),
        ]
            as [(UInt32, UInt32, String)]
        {
            var capture = TestCapture(order: .big)
            capture.bytes = Array("btsnoop\0".utf8)
            capture.add(UInt32(1))
            capture.add(datalink)
            for length in [UInt32(hex.count / 2), 600] {
                for number in [length, length, flags, 0, 0, 0] { capture.add(number) }
                capture.add(hex: hex)
            }
            capture.bytes += [UInt8](repeating: 0, count: 600)
            let converted = try Converted(capture.bytes)
            let offset = UInt64(16 + 24 + hex.count / 2)
            #expect(converted.summary.packetCount == 1)
            #expect(converted.error == .damaged(.longRecord(600), offset: offset))
        }
    }
}
