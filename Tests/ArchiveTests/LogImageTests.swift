import LogContents
import TestSupport
import Testing

/// Files with a log that were cut, as a copy is that filled its disk.
@Suite struct LogImageTests {
    private func pageCount(_ image: LogImage) -> Int {
        image.slots.reduce(0) { $0 + $1.contents().pages.count { $0.damage == nil } }
    }

    @Test func `a whole file has no cut`() throws {
        let image = try #require(LogImage([try TestLog().segments.flatMap(\.bytes)]))
        #expect(image.cuts.isEmpty && pageCount(image) > 0)
    }

    @Test func `a page that is whole counts, though the file ends within its block`() throws {
        let bytes = try TestLog().segments.flatMap(\.bytes)
        let whole = try #require(LogImage([bytes]))
        let written = bytes[...(try #require(bytes.lastIndex { $0 != 0xff }))]
        try #require(written.count % TestLog.blockByteCount != 0)
        let image = try #require(LogImage([Array(written)]))
        #expect(image.cuts == [LogImage.Cut(file: 0, byteCount: written.count)])
        #expect(pageCount(image) == pageCount(whole))
        let last = try #require(image.slots.last)
        #expect(last.bytes.count % TestLog.blockByteCount == 0)
        #expect(last.writtenBytes == whole.slots.last?.writtenBytes)
    }

    @Test func `a page that was cut counts as torn`() throws {
        let bytes = try TestLog().segments.flatMap(\.bytes)
        let whole = try #require(LogImage([bytes]))
        let written = bytes[..<(try #require(bytes.lastIndex { $0 != 0xff }))]
        let image = try #require(LogImage([Array(written)]))
        #expect(pageCount(image) == pageCount(whole) - 1)
        #expect(image.cuts.count == 1)
    }
}
