import GATT

/// The commands that a link needs the controller to run.
struct LinkRequests: BitwiseCopyable {
    /// Connection parameters that the board has agreed to and not yet set.
    private var parameters: ConnectionParameters?
    private var wantsRSSI = false
    /// The peer asks for encryption with a key that the board does not have.
    private var refusesKey = false

    mutating func refuseKey() { refusesKey = true }
    mutating func readRSSI() { wantsRSSI = true }
    mutating func set(_ parameters: ConnectionParameters) { self.parameters = parameters }

    mutating func takeKeyRefusal() -> Bool {
        guard refusesKey else { return false }
        refusesKey = false
        return true
    }

    mutating func takeRSSIReading() -> Bool {
        guard wantsRSSI else { return false }
        wantsRSSI = false
        return true
    }

    mutating func takeParameters() -> ConnectionParameters? {
        guard let wanted = parameters else { return nil }
        parameters = nil
        return wanted
    }
}
