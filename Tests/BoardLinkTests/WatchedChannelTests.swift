import BoardTestSupport
import FixedMemory
import Testing

@testable import BoardLink

@Suite struct WatchedChannelTests {
    private final class Reports { var times: [Instant] = [] }

    private func client(
        of channel: PipeChannel, into reports: Reports
    ) -> BoardClient {
        let watched = WatchedChannel(channel, patience: .seconds(1)) { reports.times.append(channel.now) }
        return BoardClient(watched, patience: .init(attemptCount: 2, timeout: .milliseconds(1_500)))
    }

    @Test func `a silent port is reported after a second`() throws {
        let channel = PipeChannel(try ServedBoard())
        channel.tamper = { _, answer in answer = [] }
        let reports = Reports()
        #expect(throws: LinkError.self) { try client(of: channel, into: reports).echo() }
        #expect(reports.times.first == .start + .seconds(1))
    }

    @Test func `a silent port is given up as soon as without the report`() throws {
        let channel = PipeChannel(try ServedBoard())
        channel.tamper = { _, answer in answer = [] }
        #expect(throws: LinkError.self) { try client(of: channel, into: Reports()).echo() }
        #expect(channel.now == .start + .seconds(3))
    }

    @Test func `a board that answers is not reported`() throws {
        let channel = PipeChannel(try ServedBoard())
        let reports = Reports()
        #expect(try client(of: channel, into: reports).echo())
        #expect(reports.times.isEmpty)
    }
}
