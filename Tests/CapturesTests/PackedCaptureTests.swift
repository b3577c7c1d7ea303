import TestSupport
import Testing

@testable import Captures

/// Tests/Vectors/captures.json
private struct CaptureVectors: Decodable {
    let btsnoop, pcap, nsecpcap, pcapng, gzip: String
    let zip, zipOfTwo, zipStored, zipStreamed, zipOfGzip: String
}

@Suite struct PackedCaptureTests {
    private let vectors: CaptureVectors
    private let expected: Converted

    init() throws {
        vectors = try Vectors.load("captures.json", as: CaptureVectors.self)
        expected = try Converted([UInt8](hex: vectors.btsnoop))
    }

    private func directory(_ zip: [UInt8]) throws -> ZipDirectory {
        let tail = Array(zip.suffix(ZipDirectory.tailByteCount))
        let place = try ZipDirectory.place(tail: tail, fileByteCount: UInt64(zip.count))
        return try ZipDirectory(Array(zip[Int(place.offset)...].prefix(place.byteCount)), at: place)
    }

    private func packed(_ entry: ZipEntry, in zip: [UInt8]) throws -> [UInt8] {
        let offset = try entry.contentsOffset(header: Array(zip[Int(entry.headerOffset)...].prefix(30)))
        return Array(zip[Int(offset)...].prefix(Int(entry.packedByteCount)))
    }

    @Test func `btsnoop comes out as it is`() throws {
        #expect(expected.file == [UInt8](hex: vectors.btsnoop))
        #expect(expected.packets.count == 5 && expected.error == nil)
    }

    @Test func `captures that Wireshark wrote have the packets, directions and times of the original`() throws
    {
        for file in [vectors.pcap, vectors.nsecpcap, vectors.pcapng] {
            let converted = try Converted([UInt8](hex: file))
            #expect(converted.packets == expected.packets && converted.error == nil)
        }
        #expect(try Converted([UInt8](hex: vectors.pcap)).file == expected.file)
    }

    @Test func `gzip is unpacked, also in several streams`() throws {
        let gzip = [UInt8](hex: vectors.gzip)
        for pieceByteCount in [1, 2, 7, 1_000] {
            #expect(try Converted(gzip, pieceByteCount: pieceByteCount).file == expected.file)
        }
        // The header of another capture is damage, and shows that the second stream was read.
        let error = try Converted(gzip + gzip).error
        #expect(error == .damaged(.longRecord(0x6f6f_7000), offset: UInt64(expected.file.count)))
    }

    @Test func `a cut gzip file gives the packets before the cut, and a damaged one says so`() throws {
        let gzip = [UInt8](hex: vectors.gzip)
        for count in 1..<gzip.count {
            let converted = try Converted(Array(gzip.prefix(count)))
            #expect(expected.file.starts(with: converted.file))
            if count > 18 { #expect(converted.summary.isCut || converted.error != nil) }
        }
        var damaged = gzip
        damaged[damaged.count - 5] ^= 1
        let converted = try Converted(damaged)
        #expect(converted.error == .packedDataDamaged(offset: UInt64(expected.file.count)))
        #expect(converted.packets == expected.packets)
    }

    @Test func `unpacking ends at its limit`() throws {
        let gzip = [UInt8](hex: vectors.gzip)
        for (limit, isEnough) in [(expected.file.count, true), (expected.file.count - 1, false)] {
            var unpacker = try Unpacker(nil, maximumByteCount: UInt64(limit))
            unpacker.append(gzip[...])
            unpacker.completeInput()
            if isEnough {
                #expect(try unpacker.next() == expected.file)
            } else {
                #expect(throws: CaptureError.tooLong) { try unpacker.next() }
            }
        }
    }

    @Test func `a zip file's capture is unpacked: deflated, stored, streamed, or packed once more`() throws {
        for file in [vectors.zip, vectors.zipStored, vectors.zipStreamed, vectors.zipOfGzip] {
            let zip = [UInt8](hex: file)
            let entry = try #require(try directory(zip).entries.first { $0.name.contains("btsnoop_hci.log") })
            let converted = try Converted(try packed(entry, in: zip), entry: entry)
            #expect(converted.file == expected.file && converted.error == nil)
        }
    }

    @Test func `other entries of a zip file are no captures`() throws {
        let zip = [UInt8](hex: vectors.zip)
        for entry in try directory(zip).entries {
            var conversion = CaptureConversion(of: entry)
            conversion.append(try packed(entry, in: zip))
            conversion.complete()
            while (try? conversion.next()) != nil {}
            #expect(conversion.isCapture == entry.name.hasSuffix("btsnoop_hci.log"))
        }
    }

    @Test func `an entry is found by its name with or without folders`() throws {
        let directory = try directory([UInt8](hex: vectors.zipOfTwo))
        #expect(directory.entries.count == 2)
        #expect(directory.entries(named: "btsnoop_hci.log").count == 1)
        #expect(directory.entries(named: "FS/data/misc/bluetooth/logs/btsnoop_hci.log.last").count == 1)
        #expect(directory.entries(named: "hci.log").isEmpty)
    }

    @Test func `an entry whose checksum or length is wrong is damaged after its contents`() throws {
        let zip = [UInt8](hex: vectors.zip)
        let place = try ZipDirectory.place(tail: zip, fileByteCount: UInt64(zip.count))
        let list = Array(zip[Int(place.offset)...].prefix(place.byteCount))
        let entries = try ZipDirectory(list, at: place).entries
        let index = try #require(entries.firstIndex { $0.name.hasSuffix("btsnoop_hci.log") })
        let start = entries[..<index].reduce(0) { $0 + 46 + $1.name.utf8.count }
        for offset in [16, 24] {
            var changed = list
            changed[start + offset] ^= 1
            let entry = try ZipDirectory(changed, at: place).entries[index]
            let converted = try Converted(try packed(entry, in: zip), entry: entry)
            guard case .packedDataDamaged = converted.error else {
                Issue.record("\(offset): \(String(describing: converted.error))")
                continue
            }
            #expect(expected.file.starts(with: converted.file))
        }
    }

    @Test func `an entry that is longer than stated is read up to that length, in pieces of any size`() throws
    {
        let zip = [UInt8](hex: vectors.zipOfTwo)
        let place = try ZipDirectory.place(tail: zip, fileByteCount: UInt64(zip.count))
        var list = Array(zip[Int(place.offset)...].prefix(place.byteCount))
        list[24] -= 10
        let entry = try #require(try ZipDirectory(list, at: place).entries.first)
        let packed = try packed(entry, in: zip)
        let whole = try Converted(packed, entry: entry)
        #expect(whole.error == .packedDataDamaged(offset: UInt64(expected.file.count - 10)))
        #expect(whole.packets == Array(expected.packets.dropLast()))
        for pieceByteCount in [1, 7, 30] {
            #expect(try Converted(packed, entry: entry, pieceByteCount: pieceByteCount) == whole)
        }
    }

    @Test func `a zip file that is cut or has wrong numbers in its end record is refused`() throws {
        let zip = [UInt8](hex: vectors.zip)
        for count in 0..<zip.count {
            #expect(throws: ZipError.self) { try directory(Array(zip.prefix(count))) }
        }
        for offset in [4, 8, 10, 12, 16, 20] {
            var changed = zip
            for index in 0..<2 { changed[zip.count - 22 + offset + index] = 0xff }
            if offset == 8 { continue }
            #expect(throws: ZipError.self, "\(offset)") { try directory(changed) }
        }
    }

    @Test func `an encrypted entry, another compression and sizes of 64 bits are obstacles`() throws {
        let zip = [UInt8](hex: vectors.zipStored)
        let place = try ZipDirectory.place(tail: zip, fileByteCount: UInt64(zip.count))
        let list = Array(zip[Int(place.offset)...].prefix(place.byteCount))
        #expect(try ZipDirectory(list, at: place).entries.first?.obstacle == nil)
        let changes: [(Range<Int>, UInt8, ZipError)] = [
            (8..<9, 1, .encrypted), (10..<11, 12, .otherCompression(12)), (24..<28, 0xff, .tooLarge),
        ]
        for (range, byte, obstacle) in changes {
            var changed = list
            for index in range { changed[index] = byte }
            #expect(try ZipDirectory(changed, at: place).entries.first?.obstacle == obstacle)
        }
    }
}
