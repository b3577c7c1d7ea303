import GATT
import HCI

/// One connection and everything that is remembered for it; nothing of it outlives it.
struct Link: BitwiseCopyable {
    let handle: ConnectionHandle
    let peer: DeviceAddress
    let openedMilliseconds: UInt64
    var lastActivityMilliseconds: UInt64
    var gatt: GATTLink
    /// We made this link to read the peer's identity.
    let isForExchange: Bool
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
