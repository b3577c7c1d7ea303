import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes

/// Opening, serving and ending links.
extension RadioController {
    mutating func opened(_ connection: ConnectionComplete, recorder: inout Recorder, now: Instant) {
        let endsAttempt = connection.isCentral || connection.status != .success
        let wanted = endsAttempt ? connector.takeCompleted(by: connection) : nil
        // The fields of a failed connection may all be zero, so the role says nothing then.
        let hasEndedAdvertising =
            connection.status == .success ? !connection.isCentral : wanted == nil || !connection.isCentral
        if hasEndedAdvertising {
            schedule.didAcceptConnection()
            additionalSets.didAcceptConnection()
        }
        guard connection.status == .success else {
            if let wanted {
                connector.fail(with: wanted, recorder: &recorder, context: &context, now: now)
            }
            return
        }
        if let slot = links.find(connection.handle) {
            if wanted == nil, links[slot].isSame(as: connection, now: now) { return }
            // A controller that uses a handle again has ended the link that had it.
            closed(connection.handle, recorder: &recorder, now: now)
        }
        context.counters.links &+= 1
        let peer = wanted ?? connection.peer
        guard let slot = links.open(connection, peer: peer, now: now) else {
            return excess.add(connection.handle)
        }
        // An incoming peer may have seen the last advert before the identity changed; the server knows
        // which identity that advert had.
        let current = context.own.current
        let payload = connection.isCentral ? current.payload : context.server.herald.payload
        let schemes = connection.isCentral ? current.schemes : context.server.own
        context.server.linkOpened(slot, payload: payload, own: schemes, peer: peer)
        if payload != current.payload || schemes != current.schemes {
            links[slot].mustEnd = now + Self.oldLink
        }
        if !connection.isCentral { connector.cancel(ifTo: connection.peer) }
        links[slot].beginProcedures(
            isForWriting: wanted != nil && connector.purpose == .writeBack, recorder: &recorder,
            context: &context, now: now)
        while let packet = early.take(of: connection.handle, now: now) {
            receiveData(packet.span, recorder: &recorder, now: now)
        }
        evictForIncoming(recorder: recorder, now: now)
    }

    mutating func closed(_ handle: ConnectionHandle, recorder: inout Recorder, now: Instant) {
        guard let slot = links.find(handle) else { return }
        host.returnCredits(links[slot].packetsInController)
        links[slot].abandonProcedures(recorder: &recorder, context: &context, now: now)
        links.close(slot)
    }

    /// Takes credits back from the controller: never more than packets were sent, even if the controller
    /// reports more.
    mutating func completed(_ handle: ConnectionHandle, _ count: Int) {
        guard let slot = links.find(handle) else { return }
        let returned = min(count, links[slot].packetsInController)
        links[slot].packetsInController -= returned
        host.returnCredits(returned)
    }

    /// Ends a link to make room: for a new peer, or because the controller takes no more links and none could
    /// come in.
    mutating func evictForIncoming(recorder: borrowing Recorder, now: Instant) {
        let staying = links.stayingCount
        if staying > settings.linkLimit {
            if let slot = linkToEvict(recorder, now: now) { links[slot].phase = .endWanted }
        } else if context.advertises, staying == links.count,
            !schedule.advertiser.isConnectable(besideLinks: staying)
        {
            let stay = context.policy.fullStay
            let oldest = links.oldest { !$0.isOurs && $0.mayBeEvicted(after: stay, now: now) }
            if let oldest { links[oldest].phase = .endWanted }
        }
    }

    /// The oldest link or, if so configured, the one heard weakest, which gets no time (HP-O04).
    private func linkToEvict(_ recorder: borrowing Recorder, now: Instant) -> Int? {
        if context.policy.dropsWeakestLink {
            return links.weakest(recorder) { $0.mayBeEvicted(after: .milliseconds(1), now: now) }
        }
        let stay = context.policy.leastStay
        return links.oldest { $0.mayBeEvicted(after: stay, now: now) }
    }

    // MARK: Data

    mutating func receiveData(_ packet: Span<UInt8>, recorder: inout Recorder, now: Instant) {
        guard packet.count >= 5, Int(packet.loadUInt16(at: 3)) == packet.count - 5,
            let boundary = ACLBoundary(rawValue: packet[2] >> 4 & 3)
        else {
            context.counters.malformedData &+= 1
            return
        }
        let handle = ConnectionHandle(rawValue: packet.loadUInt16(at: 1))
        guard let slot = links.find(handle) else { return early.add(packet, of: handle, now: now) }
        links[slot].receive(
            packet.extracting(5..<packet.count), boundary: boundary, recorder: &recorder, context: &context,
            now: now)
        if let (writer, identity) = context.server.takeWritten(), !links[writer].isClosed {
            recorder.identify(
                links[writer].peer, as: identity.encoded.span, of: .bleProximity, marks: .written, now: now)
        }
        if let message = context.server.herald.takeMessage() {
            received(message, recorder: &recorder, now: now)
        }
    }

    /// Records what a phone has written. A phone that cannot advertise writes its payload and how strong it
    /// hears the board (HP-C06, seen from the board). Any phone may send something for the application, or
    /// share payloads of others. All of it may be false, and the log says what was only written.
    private mutating func received(_ message: HeraldServer.Message, recorder: inout Recorder, now: Instant) {
        guard !links[message.link].isClosed else { return }
        let peer = links[message.link].peer
        let payload = context.server.herald.messagePayload(link: message.link)
        let rssi = Int8(exactly: context.server.herald.messageRSSIDBm(link: message.link)).flatMap {
            RSSI(dBm: $0)
        }
        recorder.writeBacks.markAwake(peer, in: recorder.peers, now: now)
        switch message.code {
        case .payload:
            if !payload.isEmpty {
                context.identify(peer, payload, isWritten: true, recorder: &recorder, now: now)
            }
        case .rssi: if let rssi { recorder.recordReading(rssi, writtenBy: peer, now: now) }
        case .payloadSharing:
            if let rssi { recorder.recordReading(rssi, writtenBy: peer, now: now) }
            guard !payload.isEmpty else { return }
            recorder.recordSharedPayloads(payload, rssi: rssi, from: peer, now: now)
        case .immediateSend: recorder.recordMessage(payload, from: peer, now: now)
        }
    }

    /// Records how strong the controller hears the peer of a link. `returned` is the answer to Read RSSI:
    /// status, handle (2 bytes), RSSI in dBm (Bluetooth Core 5.4, Vol 4, Part E, 7.5.4).
    mutating func recordRSSI(_ returned: Span<UInt8>, recorder: inout Recorder, now: Instant) {
        guard returned.count >= 4, returned[0] == Status.success.rawValue,
            let slot = links.find(ConnectionHandle(rawValue: returned.loadUInt16(at: 1))),
            let rssi = RSSI(dBm: Int8(bitPattern: returned[3]))
        else { return }
        recorder.recordReading(rssi, onLinkTo: links[slot].peer, now: now)
    }
}
