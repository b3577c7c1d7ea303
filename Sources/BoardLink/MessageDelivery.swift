import DeviceSync

/// Sends a message through a board and follows it until it has gone to everybody, or cannot.
public struct MessageDelivery {
    public enum Outcome: Sendable, Equatable {
        case finished
        /// Some were still waiting when the time was up, or somebody asked to stop.
        case waiting
    }

    private let client: BoardClient
    /// Between two looks at what has become of it.
    private let pollMilliseconds: Int

    public init(client: BoardClient, pollMilliseconds: Int = 500) {
        self.client = client
        self.pollMilliseconds = pollMilliseconds
    }

    /// - Parameters:
    ///   - patienceMilliseconds: how long to follow it; the board goes on by itself afterwards.
    ///   - pause: waits for so many milliseconds; false to stop.
    ///   - report: how far it is.
    public func run(
        _ message: MessageRequest, patienceMilliseconds: UInt64, pause: (Int) -> Bool,
        report: (MessageReport) -> Void
    ) throws(LinkError) -> (MessageReport, Outcome) {
        var state = try client.send(message)
        report(state)
        let end = client.channel.monotonicMilliseconds + patienceMilliseconds
        while state.waitingCount > 0 {
            let now = client.channel.monotonicMilliseconds
            guard now < end, pause(min(pollMilliseconds, Int(end - now))) else { return (state, .waiting) }
            state = try client.messageReport(number: message.number)
            report(state)
        }
        return (state, .finished)
    }
}
