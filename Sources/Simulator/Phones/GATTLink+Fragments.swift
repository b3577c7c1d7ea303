import FixedMemory
import GATT

extension GATTLink {
    /// The time after which a phone's stack ends a link with an unanswered request
    /// (Core, Vol 3, Part F, 3.3.3).
    static var transactionTimeout: SimulatedDuration { .seconds(30) }

    /// The payload of a data packet without negotiated data length.
    private static var fragmentByteCount: Int { 27 }

    /// All fragments that wait to be sent, with the MTU limited to `mtu`.
    mutating func takeFragments(mtu: UInt16) -> [LinkFragment] {
        var fragments: [LinkFragment] = []
        var data = FixedBuffer<27>()
        while let boundary = nextFragment(maximumByteCount: Self.fragmentByteCount, into: &data) {
            let fragment = LinkFragment(bytes: [UInt8](data.span), isFirst: boundary != .continuation)
            fragments.append(fragment.limited(toMTU: mtu))
            data.removeAll()
        }
        return fragments
    }
}
