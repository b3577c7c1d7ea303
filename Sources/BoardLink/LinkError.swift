import DeviceSync

public enum LinkError: Error, Equatable, Sendable {
    /// The port cannot be opened; `code` is the system's errno.
    case cannotOpen(port: String, code: Int32)
    /// Another program has locked the port.
    case busy(port: String)
    /// The port was unplugged, or the other end is closed.
    case gone(port: String)
    case failed(port: String, code: Int32)
    /// Several attempts brought no readable answer.
    case noAnswer(port: String, request: String)
    /// Text came instead, as from a login console.
    case foreignText(port: String)
    case refused(request: String, SMPRefusal)
    /// The operator key could not create a signature.
    case cannotSign(request: String)
    /// A record of secrets could not be sealed for the board's key.
    case cannotSeal
    /// The board's index is invalid, or changes too quickly to be read.
    case indexUnreadable(port: String)
}
