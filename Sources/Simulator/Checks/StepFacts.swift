import FixedMemory

/// Facts about one step of the agent.
struct StepFacts {
    /// The packets that the step took from the controller, and the advertising reports in them.
    var packetCount = 0
    var reportCount = 0
    /// Data packets of links. A phone may write its signal strength in one, which the agent counts as a
    /// report.
    var dataCount = 0
    /// Bytes of memory that the step took and did not free.
    var memoryGrowth: Int64 = 0
    var now = Instant.start
}
