import DeviceSync

public enum LinkError: Error, Equatable, Sendable {
    /// The system's number for the reason (errno).
    case cannotOpen(port: String, code: Int32)
    /// Another program has it locked.
    case busy(port: String)
    /// Unplugged, or the other end is gone.
    case gone(port: String)
    case failed(port: String, code: Int32)
    /// Several attempts, and no answer that could be read.
    case noAnswer(port: String, request: String)
    case refused(request: String, SMPRefusal)
    /// The operator key made no signature.
    case cannotSign(request: String)
    /// What the board offers as its index is none, or changes too fast to be read.
    case indexUnreadable(port: String)
}
