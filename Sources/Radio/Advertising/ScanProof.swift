import FixedMemory
import HCI

/// Whether the controller really scans. A controller that scans must refuse scan parameters (0x0C, Bluetooth
/// Core 5.4, Vol 4, Part E, 7.8.10 and 7.8.64). So the agent sends them now and then: the refusal proves the
/// scan, and an acceptance shows that the controller has stopped scanning or has forgotten it.
///
/// A controller that has never refused them proves nothing.
package struct ScanProof: BitwiseCopyable, Sendable {
    /// Whether the controller has refused parameters during a scan before.
    package private(set) var isPossible = false
    /// When the command of the last proof was sent.
    package private(set) var latest = Instant.start
    /// The scan was just set up, and is to be proved.
    private(set) var isWanted = true
    /// The number of times in a row that the controller did not scan. It stops at 255.
    package private(set) var failureCount: UInt8 = 0
    private var asked = Instant.start

    /// Asks for a proof of the scan that is about to start.
    mutating func want() { isWanted = true }

    mutating func didAsk(now: Instant) { asked = now }

    /// Processes the answer to the parameters.
    /// - Returns: whether the controller has just lost a scan that it could prove.
    mutating func didReceiveAnswer(_ status: Status) -> Bool {
        isWanted = false
        if status == .commandDisallowed {
            isPossible = true
            latest = asked
            failureCount = 0
        }
        guard isPossible, status == .success else { return false }
        failureCount = min(failureCount, .max - 1) + 1
        return failureCount == 1
    }

    init(isPossible: Bool = false) { self.isPossible = isPossible }
}
