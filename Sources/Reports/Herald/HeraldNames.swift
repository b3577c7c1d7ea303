import Archive

/// Maps payloads to the one that represents them in Herald's logs. A device that changes its identity has
/// many payloads, and Herald's scripts would count each as a separate device.
public struct HeraldNames: Sendable {
    private var standIns: [[UInt8]: [UInt8]] = [:]

    /// Creates an empty mapping: each payload represents itself.
    public init() {}

    /// Represents all payloads of one device by the first of them. A payload that two devices report to have
    /// served stays itself, because it identifies neither.
    public mutating func unite(_ payloads: [[UInt8]]) {
        guard let first = payloads.first else { return }
        for payload in Set(payloads) {
            let other = standIns[payload]
            standIns[payload] = other == nil || other == first ? first : payload
        }
    }

    func payload(standingFor payload: [UInt8]) -> [UInt8] { standIns[payload] ?? payload }

    func name(of payload: [UInt8]) -> String { HeraldShortName.text(self.payload(standingFor: payload)) }
}
