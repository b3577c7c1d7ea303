import FixedMemory
import HCI
import Peers

/// The sender of messages on a link, and its budget.
struct MessageSender: BitwiseCopyable {
    var peer: DeviceAddress?
    /// About the rate at which phones share payloads.
    var budget = MessageBudget(burst: 10, interval: .seconds(20))
}
