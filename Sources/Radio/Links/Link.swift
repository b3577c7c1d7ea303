import GATT
import HCI
import Peers

/// One connection and everything that is remembered for it; nothing of it outlives it.
package struct Link: BitwiseCopyable {
    let handle: ConnectionHandle
    let peer: DeviceAddress
    /// Its address as the controller reports it.
    private let reportedPeer: DeviceAddress
    let openedMilliseconds: UInt64
    var lastActivityMilliseconds: UInt64
    var gatt: GATTLink
    /// We made this link.
    let isOurs: Bool
    var work = LinkProcedures()
    /// It was made with somebody we no longer are, and ends at this time.
    var mustEndMilliseconds: UInt64?
    /// ACL packets of this link in the controller.
    var packetsInController = 0
    /// Timing we have agreed to and not yet set.
    var wantedParameters: ConnectionParameters?
    var ending = Ending.no
    /// It may stay, though it is idle or the oldest.
    var isPinned = false
    /// Of a phone of Sonar that has asked for keep-alives: when the next is due, and whether its RSSI is.
    var nextKeepAliveMilliseconds: UInt64 = 0
    var lastKeepAlive: UInt8 = 0
    var wantsRSSI = false
    /// Its peer wants to encrypt, with a key that there is not: it is to be told.
    var wantsKey = false

    package enum Ending: BitwiseCopyable, Equatable {
        case no, wanted
        /// Disconnect was sent; a controller that has not ended the link by then has forgotten it.
        case asked(deadline: UInt64)
    }

    /// As the controller has told it last, or the longest that it may be.
    var supervisionTimeout: SupervisionTimeout

    /// Longer than the supervision time-out. For so long the controller asks the peer to end the link; then it has ended,
    /// whatever the peer does (Bluetooth Core 5.4, Vol 6, Part B, 5.1.6).
    var endingTimeoutMilliseconds: UInt64 { max(15_000, UInt64(supervisionTimeout.milliseconds) + 8_000) }

    /// `wanted`: whom we have asked for, under the address we know, which need not be the one the controller reports.
    init(_ connection: ConnectionComplete, wanted: DeviceAddress?, nowMilliseconds: UInt64) {
        handle = connection.handle
        peer = wanted ?? connection.peer
        reportedPeer = connection.peer
        openedMilliseconds = nowMilliseconds
        lastActivityMilliseconds = nowMilliseconds
        isOurs = connection.isCentral
        supervisionTimeout = connection.supervisionTimeout
        gatt = GATTLink(role: connection.isCentral ? .central : .peripheral)
    }

    /// Whether an immediate message is being written on it.
    var isSending: Bool { if case .message = work.job { true } else { false } }

    /// Whether `connection` only repeats what made this link: some controllers report a thing twice.
    func isSame(as connection: ConnectionComplete, nowMilliseconds: UInt64) -> Bool {
        connection.peer == reportedPeer && connection.isCentral == isOurs
            && nowMilliseconds < openedMilliseconds + 1_000
    }
}

extension LinkPolicy {
    /// Whether a link is to end: our work on it is done and the peer is not using it, or nothing happens on it, or it
    /// has taken too long.
    /// - Parameter isPinned: it may be idle.
    func hasServed(_ link: Link, isPinned: Bool = false, nowMilliseconds now: UInt64) -> Bool {
        if let end = link.mustEndMilliseconds, now >= end { return true }
        let quietMilliseconds = now &- link.lastActivityMilliseconds
        guard link.isOurs else {
            return quietMilliseconds >= idleTimeoutMilliseconds && !isPinned
                || now >= link.openedMilliseconds + incomingLimitMilliseconds
        }
        if now >= link.openedMilliseconds + exchangeTimeoutMilliseconds { return true }
        return quietMilliseconds
            >= (link.work.isOver ? courtesyMilliseconds : silenceTimeoutMilliseconds)
    }
}
