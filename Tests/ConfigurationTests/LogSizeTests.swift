import Testing

@testable import Configuration

@Suite struct LogSizeTests {
    /// Pairs of a loss window in seconds and the size of a new log in MiB. The size covers 28 days with a
    /// page of 4 KiB in each window, plus a fifth.
    @Test(arguments: [(30, 379), (60, 190), (3_600, 16), (5, 2_047), (1, 2_047)] as [(UInt16, UInt64)])
    func `A log without a configured size has room for 28 days`(window: UInt16, mebibytes: UInt64) {
        var log = AgentConfiguration.Log()
        log.lossWindowSeconds = window
        #expect(log.newLogByteCount == mebibytes << 20)
    }

    @Test func `A configured size is used`() {
        var log = AgentConfiguration.Log()
        log.sizeMebibytes = 16
        #expect(log.newLogByteCount == 16 << 20)
    }
}
