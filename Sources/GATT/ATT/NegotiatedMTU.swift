/// The longest ATT PDU that both ends of a link take, in bytes; client and server share it.
///
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4.2.
public struct NegotiatedMTU: BitwiseCopyable, Equatable, Sendable {
    /// 23 to 517.
    public private(set) var byteCount = ATT.defaultMTU
    private var isExchanged = false

    public init() {}

    /// The peer said, as a client or as a server, how much it takes. If it says both, the smaller holds.
    public mutating func note(peerReceiveMTU: UInt16) {
        let common = min(max(Int(peerReceiveMTU), ATT.defaultMTU), ATT.maximumMTU)
        byteCount = isExchanged ? min(byteCount, common) : common
        isExchanged = true
    }
}
