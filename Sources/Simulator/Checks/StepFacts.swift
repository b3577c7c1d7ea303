/// What a step of the agent did.
struct StepFacts {
    /// Packets and reports that it took from the controller.
    var packetCount = 0
    var reportCount = 0
    /// Data of links among them: a phone may tell in it how near it hears us, and that counts as a report.
    var dataCount = 0
    /// Bytes of memory that it took and did not give back.
    var memoryGrowth: Int64 = 0
    var milliseconds: UInt64 = 0
}
