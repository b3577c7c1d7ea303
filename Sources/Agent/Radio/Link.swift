import GATT
import HCI
import Peers

/// One connection and everything that is remembered for it; nothing of it outlives it.
struct Link: BitwiseCopyable {
    let handle: ConnectionHandle
    let peer: DeviceAddress
    let openedMilliseconds: UInt64
    var lastActivityMilliseconds: UInt64
    var gatt: GATTLink
    /// We made this link, to read the peer's identity.
    let isForExchange: Bool
    /// It has been read, or cannot be.
    var isExchangeOver = false
    /// ACL packets of this link in the controller.
    var packetsInController = 0
    /// Timing we have agreed to and not yet set.
    var wantedParameters: ConnectionParameters?
    var ending = Ending.no

    enum Ending: UInt8, BitwiseCopyable { case no, wanted, asked }

    init(_ connection: ConnectionComplete, nowMilliseconds: UInt64) {
        handle = connection.handle
        peer = connection.peer
        openedMilliseconds = nowMilliseconds
        lastActivityMilliseconds = nowMilliseconds
        isForExchange = connection.isCentral
        gatt = GATTLink(role: connection.isCentral ? .central : .peripheral)
    }
}

extension LinkPolicy {
    /// Whether a link is to end: our work on it is done and the peer is not using it, or nothing happens on it, or it
    /// has taken too long.
    func hasServed(_ link: Link, nowMilliseconds now: UInt64) -> Bool {
        let quietMilliseconds = now &- link.lastActivityMilliseconds
        guard link.isForExchange else { return quietMilliseconds >= idleTimeoutMilliseconds }
        if now >= link.openedMilliseconds + exchangeTimeoutMilliseconds { return true }
        return quietMilliseconds
            >= (link.isExchangeOver ? courtesyMilliseconds : silenceTimeoutMilliseconds)
    }
}
