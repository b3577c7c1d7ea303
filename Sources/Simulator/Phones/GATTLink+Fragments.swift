import FixedMemory
import GATT

extension GATTLink {
    /// After this a phone's stack takes an unanswered request for a broken link (Core, Vol 3, Part F, 3.3.3).
    static var transactionTimeout: SimulatedDuration { .seconds(30) }

    /// What a link layer carries at a time that has not heard of longer packets.
    private static var fragmentByteCount: Int { 27 }

    /// All that waits to be sent, as a stack sends it that knows no longer packets than `mtu` says.
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
