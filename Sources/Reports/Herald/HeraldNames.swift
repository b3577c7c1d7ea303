import Archive

/// Which payloads stand in Herald's logs for which. A device that changes its identity has many, and Herald's scripts take
/// each for a device of its own.
public struct HeraldNames: Sendable {
    private var standIns: [[UInt8]: [UInt8]] = [:]

    /// Each payload stands for itself.
    public init() {}

    /// All payloads of one device stand as the first of them. One that two devices say they served stays itself: it tells
    /// nothing.
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
