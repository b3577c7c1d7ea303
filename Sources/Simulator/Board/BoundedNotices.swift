import Agent
import AgentText
import FixedMemory

/// The last notices of a board's agents.
public struct BoundedNotices: Sendable {
    private static let capacity = 1_000
    private var ring: [AgentNotice] = []
    private var oldest = 0

    mutating func append(_ notice: AgentNotice) {
        if ring.count < Self.capacity {
            ring.append(notice)
        } else {
            ring[oldest] = notice
            oldest = (oldest + 1) % Self.capacity
        }
    }

    public func contains(where isWanted: (AgentNotice) -> Bool) -> Bool { ring.contains(where: isWanted) }
}

extension AgentNotice {
    /// The line that a board prints.
    var text: String {
        var line = FixedBuffer<512>()
        try? write(to: &line)
        return String(decoding: [UInt8](line.span), as: UTF8.self)
    }
}
