import CommandLineText
import Testing

@Suite struct CountTests {
    @Test func `one thing has the singular`() {
        #expect(Count.text(1, "segment") == "1 segment")
        #expect(Count.text(UInt32(1), "entry", "entries") == "1 entry")
    }

    @Test func `no thing and several have the plural`() {
        #expect(Count.text(0, "segment") == "0 segments")
        #expect(Count.text(2, "entry", "entries") == "2 entries")
    }
}
