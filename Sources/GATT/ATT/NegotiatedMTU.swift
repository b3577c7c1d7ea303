/// The longest ATT PDU that both ends of a link accept, in bytes. Client and server share it.
///
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4.2.
public struct NegotiatedMTU: BitwiseCopyable, Equatable, Sendable {
    /// The MTU, from 23 to 517.
    public private(set) var byteCount = ATT.defaultMTU
    private var isExchanged = false

    public init() {}

    /// Records the peer's receive MTU, which it sends as a client or as a server. If it sends both, the
    /// smaller one holds.
    public mutating func agree(peerReceiveMTU: UInt16) {
        let common = min(max(Int(peerReceiveMTU), ATT.defaultMTU), ATT.maximumMTU)
        byteCount = isExchanged ? min(byteCount, common) : common
        isExchanged = true
    }
}
