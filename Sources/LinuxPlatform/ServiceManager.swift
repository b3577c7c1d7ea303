import Agent
import AgentText
import CLinux
import FixedMemory

/// The service manager, which the agent tells what it does (sd_notify(3)). Without one the board is silent.
struct ServiceManager: Sendable {
    private var told: AgentCondition?
    private var nextFeeding = Instant.start

    /// A fifth of the shortest time that the unit allows.
    private static let feedingInterval = Interval.seconds(10)

    /// Reports a change of the condition, and that the agent is well.
    mutating func tell(_ condition: AgentCondition, isWell: Bool, now: Instant) {
        if condition != told {
            var text = FixedBuffer<256>()
            // The longest fits.
            if told == nil { try? text.append("READY=1\n") }
            try? text.append("STATUS=")
            try? condition.write(to: &text)
            Self.notify(text.span)
            told = condition
        }
        guard isWell, now >= nextFeeding else { return }
        nextFeeding = now + Self.feedingInterval
        var text = FixedBuffer<256>()
        try? text.append("WATCHDOG=1")
        Self.notify(text.span)
    }

    @inline(never)
    private static func notify(_ text: Span<UInt8>) {
        text.withUnsafeBytes { clinux_notify($0.baseAddress, $0.count) }
    }
}
