import DeviceSync
import FixedMemory
import Testing

@Suite struct SyncIndexTests {
    private let header: SyncIndexHeader = {
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = UInt8(index * 16 + 1) }
        return SyncIndexHeader(
            logIdentity: identity, bootIdentifier: 0xFEDC_BA98_7654_3210, blockByteCount: 4096,
            unitByteCount: 16)
    }()

    private let segments = [
        SyncIndexSegment(ordinal: 12, byteCount: 131_072, isOpen: false),
        SyncIndexSegment(ordinal: 13, byteCount: .max, isOpen: false),
        SyncIndexSegment(ordinal: 99_999_999, byteCount: 0, isOpen: true),
    ]

    private func read(from offset: Int = 0, byteCount: Int = 1000) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var room = bytes.mutableSpan
        let count = SyncIndex.read(
            header, segmentCount: segments.count, offset: UInt64(offset), into: &room
        ) { segments[$0] }
        return Array(bytes.prefix(count))
    }

    @Test func `the text is that of the document`() {
        #expect(
            String(decoding: read(), as: UTF8.self) == """
                tabard-index 2 log=01112131415161718191a1b1c1d1e1f1 boot=fedcba9876543210 block=04096 unit=00016
                segment 00000012 0000131072 closed
                segment 00000013 4294967295 closed
                segment 99999999 0000000000   open

                """)
        #expect(SyncIndex.byteCount(segmentCount: segments.count) == UInt64(read().count))
    }

    @Test func `every part of the text is a part of the whole`() {
        let whole = read()
        for offset in 0...whole.count {
            for byteCount in [0, 1, 7, 36, 100] {
                #expect(read(from: offset, byteCount: byteCount) == Array(whole[offset...].prefix(byteCount)))
            }
        }
        #expect(read(from: whole.count + 5) == [])
    }

    @Test func `a written index can be read back`() throws {
        let bytes = read()
        var reader = try SyncIndexReader(bytes.span)
        let found = reader.header
        #expect(found == header)
        var all: [SyncIndexSegment] = []
        while let segment = try reader.next() { all.append(segment) }
        #expect(all == segments)
    }

    @Test func `fields and lines of later versions are skipped`() throws {
        let text = """
            tabard-index 2 log=00000000000000000000000000000000 boot=0 block=512 unit=1 seal=1
            owner 1234
            segment 7 5 open extra

            """
        var reader = try SyncIndexReader(Array(text.utf8).span)
        let segment = try reader.next()
        #expect(segment == SyncIndexSegment(ordinal: 7, byteCount: 5, isOpen: true))
        let end = try reader.next()
        #expect(end == nil)
    }

    @Test(arguments: [
        "", "\n", "tabard-index 1 log=00000000000000000000000000000000 boot=0 block=1 unit=1\n",
        "tabard-index 2 log=0000000000000000000000000000000 boot=0 block=1 unit=1\n",
        "tabard-index 2 log=0000000000000000000000000000000g boot=0 block=1 unit=1\n",
        "tabard-index 2 log=00000000000000000000000000000000 boot= block=1 unit=1\n",
        "tabard-index 2 log=00000000000000000000000000000000 boot=10000000000000000 block=1 unit=1\n",
        "tabard-index 2 log=00000000000000000000000000000000 boot=0 block=4294967296 unit=1\n",
        "tabard-index 2 log=00000000000000000000000000000000 boot=0 block=1 unit=1",
        "tabard-index 2 log=00000000000000000000000000000000 boot=0\n",
    ]) func `other headers are refused`(text: String) {
        let bytes = Array(text.utf8)
        #expect(throws: MalformedIndex.self) { _ = try SyncIndexReader(bytes.span).header }
    }

    @Test(arguments: [
        "segment\n", "segment 1\n", "segment 1 2\n", "segment 1 2 ajar\n", "segment -1 2 open\n",
        "segment 1 4294967296 open\n", "segment 1 2 open", "segment a 2 open\n",
    ]) func `other segments are refused`(text: String) throws {
        let bytes = Array(
            ("tabard-index 2 log=00000000000000000000000000000000 boot=0 block=1 unit=1\n" + text).utf8)
        #expect(throws: MalformedIndex.self) {
            var reader = try SyncIndexReader(bytes.span)
            _ = try reader.next()
        }
    }

    @Test func `paths can be read back from their text`() {
        for path in [
            SyncPath.index, .indexFrom(0), .indexFrom(1_234), .log, .segment(0), .segment(12),
            .segment(99_999_999),
        ] {
            let text = path.text
            #expect(SyncPath(text.span) == path)
        }
        for text in [
            "", "/", "index", "/log/", "/log/1", "/log/0000001x", "/log/000000012", "/logs", "/index ",
            "/index/", "/index/1", "/index/0000001x", "/index/000000012",
        ] {
            #expect(SyncPath(Array(text.utf8).span) == nil, "\(text)")
        }
    }
}
