import FixedMemory

/// The updates on a board's medium, as a test sets and inspects them.
package struct UpdateStore {
    /// The slot from which the agent was started; nil without a launcher.
    package var slot: UInt8?
    package var isOnTrial = false
    /// The file that is arriving, or has arrived.
    package var file: [UInt8] = []
    /// The version that the launcher is to start next; nil if no file has arrived.
    package var finishedVersion: Bytes<3>?
    package var keepsFiles = true

    package init() {}
}
