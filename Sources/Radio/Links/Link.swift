import FixedMemory
import GATT
import HCI
import Peers

/// One connection and all its state. Nothing of it outlives the connection.
struct Link: BitwiseCopyable {
    enum Phase: BitwiseCopyable, Equatable {
        /// The slot is free.
        case closed
        case open
        /// The link must end; Disconnect is not sent yet.
        case endWanted
        /// Disconnect was sent. A controller that has not ended the link at the deadline has lost track of
        /// it.
        case endAsked(deadline: Instant)
    }

    /// The index in the ``LinkTable``; the GATT server knows the link by it.
    let slot: Int
    let handle: ConnectionHandle
    /// The address by which the recorder knows the peer.
    let peer: DeviceAddress
    /// The board opened the link.
    let isOurs: Bool
    let opened: Instant
    var lastActivity: Instant
    /// The link ends at this time because the board's identity has changed since it was opened.
    var mustEnd: Instant?
    var phase: Phase
    var gatt: GATTLink
    var procedures = LinkProcedures()
    var requests = LinkRequests()
    var keepAlive = KeepAlive()
    /// The number of ACL packets of this link in the controller.
    var packetsInController = 0
    /// As the controller reported it last, or the longest possible one.
    var supervisionTimeout: SupervisionTimeout

    /// An empty slot.
    init(closedSlot slot: Int) {
        self.slot = slot
        handle = ConnectionHandle(rawValue: 0)
        peer = DeviceAddress(value: 0, isRandom: false)
        isOurs = false
        opened = .start
        lastActivity = .start
        phase = .closed
        gatt = GATTLink(role: .peripheral)
        supervisionTimeout = SupervisionTimeout(tens: 0)
    }

    /// - Parameter peer: The address in `connection`, with the type by which the recorder knows it.
    init(_ connection: ConnectionComplete, peer: DeviceAddress, slot: Int, now: Instant) {
        self.slot = slot
        handle = connection.handle
        self.peer = peer
        isOurs = connection.isCentral
        opened = now
        lastActivity = now
        phase = .open
        supervisionTimeout = connection.supervisionTimeout
        gatt = GATTLink(role: connection.isCentral ? .central : .peripheral)
    }

    var isClosed: Bool { phase == .closed }

    /// How long the end of a link may take. During the supervision timeout, the controller asks the peer to
    /// end it; then it has ended, with or without the peer's answer (Bluetooth Core 5.4, Vol 6, Part B,
    /// 5.1.6). Longer than the supervision timeout.
    var endingTimeout: Interval { max(.seconds(15), supervisionTimeout.interval + .seconds(8)) }

    /// Whether an immediate message is being written on the link.
    var isSending: Bool { if case .message = procedures.current { true } else { false } }

    /// Whether the link may be evicted for a message. A link of our own that has just opened may be for
    /// another message, and the two would evict each other for ever. A peer that has connected gets its time
    /// first, or no phone could read the board while a message waits.
    /// - Parameter stay: the time that a peer's link gets.
    func mayBeEvictedForMessage(after stay: Interval, now: Instant) -> Bool {
        switch procedures.current {
        case .message: false
        case .discovery where isOurs: false
        default: isOurs || now >= opened + stay
        }
    }

    /// Whether `connection` only repeats the event that opened this link, as some controllers do.
    func isSame(as connection: ConnectionComplete, now: Instant) -> Bool {
        connection.peer.value == peer.value && connection.isCentral == isOurs
            && now < opened + .seconds(1)
    }

    /// Whether the link may be evicted for another one.
    /// - Parameter stay: The time that every link gets.
    func mayBeEvicted(after stay: Interval, now: Instant) -> Bool {
        phase == .open && !keepAlive.isPinned && !isSending && now >= opened + stay
    }

    /// The next command that the link needs: its answer to an encryption request, its end, a reading of its
    /// RSSI, or new connection parameters. The command counts as sent.
    mutating func nextCommand(now: Instant) -> Command? {
        if requests.takeKeyRefusal() { return .leLongTermKeyRequestNegativeReply(handle) }
        if phase == .endWanted {
            phase = .endAsked(deadline: now + endingTimeout)
            return .disconnect(handle)
        }
        if requests.takeRSSIReading() { return .readRSSI(handle) }
        guard let wanted = requests.takeParameters() else { return nil }
        let timeout = SupervisionTimeout(tens: wanted.supervisionTimeout)
        if timeout.interval > supervisionTimeout.interval { supervisionTimeout = timeout }
        return .leConnectionUpdate(
            handle, intervalMinimum: wanted.intervalMinimum, intervalMaximum: wanted.intervalMaximum,
            latency: wanted.latency, supervisionTimeout: wanted.supervisionTimeout)
    }
}

extension LinkPolicy {
    /// Whether a link must end: its procedures are done and the peer does not use it, or it is silent, or it
    /// has taken too long.
    /// - Parameter isPinned: the link may be idle.
    func hasServed(_ link: borrowing Link, isPinned: Bool = false, now: Instant) -> Bool {
        if let end = link.mustEnd, now >= end { return true }
        let quiet = now &- link.lastActivity
        guard link.isOurs else {
            if quiet >= idleTimeout, !isPinned { return true }
            return now >= link.opened + incomingLimit
        }
        if now >= link.opened + exchangeTimeout { return true }
        return quiet
            >= (link.procedures.areDone ? courtesy : silenceTimeout)
    }
}
