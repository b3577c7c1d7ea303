import CAllocationMeter

/// The memory that the agent uses, without that of the world around it. The meter runs while the agent
/// works, and pauses while its platform does.
enum AgentMemory {
    /// The bytes that agents of this thread hold now, heap and mapped memory together.
    static var byteCount: Int64 { callocationmeter_bytes() }

    static func enterStep() { callocationmeter_begin() }
    static func leaveStep() { callocationmeter_end() }
    /// Pauses the meter, because the platform works now, for the agent or for itself.
    static func leaveAgent() { callocationmeter_pause() }
    static func enterAgent() { callocationmeter_resume() }
}
