import CommandLineText
import Testing

@Suite struct TransferTextTests {
    @Test func `the first seconds announce no end`() {
        #expect(
            TransferText.text(done: 40_000, of: 819_200, milliseconds: 2_999)
                == "4 %, 39 KiB of 800 KiB, 13 KiB/s")
    }

    @Test func `after three seconds the line states the time that is left`() {
        #expect(
            TransferText.text(done: 40_000, of: 819_200, milliseconds: 7_190)
                == "4 %, 39 KiB of 800 KiB, 5.4 KiB/s, about 3 min left")
    }

    @Test func `a short rest is in seconds and a long one in hours`() {
        #expect(
            TransferText.text(done: 90_000, of: 100_000, milliseconds: 10_000).hasSuffix("about 10 s left"))
        #expect(
            TransferText.text(done: 1_000, of: 5_000_000, milliseconds: 1_000_000)
                .hasSuffix("1 B/s, about 1388 h 37 min left"))
    }

    @Test func `a finished transfer has no rest`() {
        #expect(
            TransferText.text(done: 500, of: 500, milliseconds: 5_000) == "100 %, 500 B of 500 B, 100 B/s")
    }

    @Test func `a line that sends nothing announces no end`() {
        #expect(TransferText.text(done: 0, of: 500, milliseconds: 9_000) == "0 %, 0 B of 500 B, 0 B/s")
    }
}
