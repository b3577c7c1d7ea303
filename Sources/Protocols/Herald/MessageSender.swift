import HCI

/// Who writes messages on a link, and how many more of them are taken.
struct MessageSender: BitwiseCopyable {
    var peer: DeviceAddress?
    /// About as often as phones share payloads.
    var budget = MessageBudget(burst: 10, intervalMilliseconds: 20_000)
}
