import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Immediate messages and write-backs.
extension Link {
    /// The message to write to the peer now. The queue gives up a message that the peer cannot take. If the
    /// peer's signal characteristic is spent, the link ends so that the message can go over the next one.
    mutating func messageDue(
        recorder: borrowing Recorder, context: inout RadioContext, now: Instant
    ) -> Int? {
        guard !context.messages.isEmpty else { return nil }
        let key = recorder.peers.key(of: peer) ?? PeerKey(peer)
        guard let delivery = context.messages.nextWaiting(for: key) else { return nil }
        guard procedures.isDiscovered else { return delivery }
        if procedures.signal.canWrite { return delivery }
        if procedures.isBroken { return nil }
        if !procedures.signal.exists {
            context.messages.attemptFailed(with: key, isForGood: true, now: now, jitter: 0)
        } else if procedures.current == .none || gatt.isInterruptible {
            phase = .endWanted
        }
        return nil
    }

    /// Writes the message, or discovers first where to write it.
    mutating func startMessage(
        _ delivery: Int, recorder: inout Recorder, context: inout RadioContext
    ) {
        guard procedures.isDiscovered else { return startDiscovery(recorder: &recorder) }
        context.messages.started(delivery)
        let data = context.messages.data(of: delivery)
        _ = write(.immediateSend(data.span))
        procedures.begin(.message(delivery: delivery))
    }

    /// - Returns: false when there is nothing to write after all.
    mutating func startWriteBack(
        _ what: WriteBack, _ rules: WriteBackRules, recorder: inout Recorder, context: inout RadioContext,
        now: Instant
    ) -> Bool {
        let rssiDBm = Int16(recorder.peers.rssi(of: peer)?.dBm ?? RSSI.unknownDBm)
        switch what {
        case .payload:
            let payload = context.own.current.payload
            guard write(.payload(payload.span)) else {
                // The payload is too long for an iPhone, which has to read it instead.
                recorder.writeBacks.complete(what, to: peer, in: recorder.peers, rules, now: now)
                return false
            }
        case .reading: _ = write(.rssi(dBm: rssiDBm))
        case .sharing:
            var payloads = FixedBuffer<507>()
            guard
                recorder.writeBacks.takePayloads(
                    toShareWith: peer, into: &payloads, from: recorder.peers, recorder.exchanges, now: now)
            else { return false }
            _ = write(.payloadSharing(rssiDBm: rssiDBm, payloads.span))
        case .wake:
            procedures.signal.beginWake()
            writePiece()
        }
        procedures.begin(.writeBack(what))
        return true
    }

    /// Begins to write a message to the peer's signal characteristic.
    /// - Returns: false when it is too long for that.
    private mutating func write(_ message: HeraldSignalMessage) -> Bool {
        do throws(CapacityError) { try procedures.signal.begin(message) } catch { return false }
        writePiece()
        return true
    }

    /// Writes the next piece, after the peer has acknowledged the last.
    /// - Returns: whether there was another piece.
    mutating func writeNextPiece() -> Bool {
        switch procedures.current {
        case .message, .writeBack: break
        case .none, .discovery, .payloadRead, .schemeRead, .schemeWrite, .deviceSearch, .deviceRead:
            return false
        }
        guard procedures.signal.nextPiece() else { return false }
        writePiece()
        return true
    }

    private mutating func writePiece() {
        try? gatt.startWriting(procedures.signal.piece, handle: procedures.signal.handle)
    }
}

extension WriteBack {
    /// The signal code of the write; nil for the empty write that wakes a phone.
    var code: HeraldSignalCode? {
        switch self {
        case .payload: .payload
        case .reading: .rssi
        case .sharing: .payloadSharing
        case .wake: nil
        }
    }
}
