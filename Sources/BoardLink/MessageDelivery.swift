import DeviceSync
import FixedMemory

/// Sends a message through a board and follows its delivery until every recipient has it or delivery failed.
public struct MessageDelivery {
    public enum Outcome: Sendable, Equatable {
        case finished
        /// Some recipients were still waiting at the deadline, or the caller stopped.
        case waiting
    }

    private let client: BoardClient
    /// The interval between two requests for the delivery state.
    private let pollInterval: Interval

    public init(client: BoardClient, pollInterval: Interval = .milliseconds(500)) {
        self.client = client
        self.pollInterval = pollInterval
    }

    /// - Parameters:
    ///   - timeout: how long to follow the delivery; the board continues by itself afterwards.
    ///   - pause: waits for the given time; returns false to stop.
    ///   - report: receives the delivery state after each request.
    public func run(
        _ message: MessageRequest, timeout: Interval, pause: (Interval) -> Bool,
        report: (MessageReport) -> Void
    ) throws(LinkError) -> (MessageReport, Outcome) {
        var state = try client.send(message)
        report(state)
        let end = client.channel.now + timeout
        while state.waitingCount > 0 {
            let now = client.channel.now
            guard now < end, pause(min(pollInterval, end - now)) else { return (state, .waiting) }
            state = try client.messageReport(number: message.number)
            report(state)
        }
        return (state, .finished)
    }
}
