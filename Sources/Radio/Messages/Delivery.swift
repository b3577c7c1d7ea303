import FixedMemory
import HCI
import Peers

/// One message to one peer.
package struct Delivery: BitwiseCopyable {
    package enum State: UInt8, BitwiseCopyable { case free, waiting, underWay }

    var state = State.waiting
    var attempts: UInt8 = 0
    /// Of the message.
    let message: UInt32
    var key: PeerKey
    /// By which the peer is found again when it has another key; 0 for none.
    let identityDigest: UInt32
    var nextAttempt = Instant.start

    init(key: PeerKey, identityDigest: UInt32, message: UInt32) {
        self.key = key
        self.identityDigest = identityDigest
        self.message = message
    }

    static var free: Delivery {
        var free = Delivery(
            key: PeerKey(DeviceAddress(value: 0, isRandom: false)), identityDigest: 0, message: 0)
        free.state = .free
        return free
    }
}
