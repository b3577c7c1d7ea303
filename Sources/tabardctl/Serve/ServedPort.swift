import BoardLink
import FixedMemory

/// A serial port that is present, and the last answer of what is behind it.
struct ServedPort: Sendable {
    var port: PluggedPort
    /// Nil until it was asked, and when it should be asked again.
    var asked: Instant?
    var probed: ProbedPort?
    var patient: Patient?
    /// The board's name in the archive, or the first digits of its log identity.
    var name: String?

    /// Keeps what is known of the ports that stayed.
    static func update(_ known: inout [ServedPort], with plugged: [PluggedPort]) {
        known = plugged.map { port in
            known.first { $0.port == port } ?? ServedPort(port: port)
        }
    }
}
