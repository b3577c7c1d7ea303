import CAllocationMeter

/// What the agent takes of memory, apart from what the world around it takes: the meter is on while the agent works,
/// and off while a part of its platform does.
enum AgentMemory {
    /// Bytes that agents of this thread hold now, heap and mapped memory together.
    static var byteCount: Int64 { callocationmeter_bytes() }

    static func enterStep() { callocationmeter_begin() }
    static func leaveStep() { callocationmeter_end() }
    /// The platform is at work, on behalf of the agent or not.
    static func leaveAgent() { callocationmeter_pause() }
    static func enterAgent() { callocationmeter_resume() }
}
