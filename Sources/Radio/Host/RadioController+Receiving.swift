import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes

/// What comes from the controller.
extension RadioController {
    package mutating func receive(
        _ packet: Span<UInt8>, recorder: inout Recorder, nowMilliseconds now: UInt64
    )
        -> Notice?
    {
        guard packet.count > 0 else { return nil }
        hearing.notePacket(atMilliseconds: now)
        if packet[0] == PacketIndicator.aclData.rawValue {
            guard state == .running else { return nil }
            receiveData(packet, recorder: &recorder, nowMilliseconds: now)
            return nil
        }
        do throws(EventError) {
            switch try Event(packet) {
            case .advertisingReports(let reports):
                guard state == .running else {
                    Self.takeLate(reports, recorder: &recorder, nowMilliseconds: now)
                    return nil
                }
                ReportIntake.take(reports, recorder: &recorder, hearing: &hearing, nowMilliseconds: now)
            case .extendedAdvertisingReports(let reports):
                takeExtended(reports, recorder: &recorder, nowMilliseconds: now)
            case .commandComplete(let opCode, let credits, let returned):
                guard
                    slot.didReceiveAnswer(to: opCode, credits: credits, atMilliseconds: now)
                else { return nil }
                return accept(opCode, returned, recorder: &recorder, nowMilliseconds: now)
            case .commandStatus(let opCode, let credits, let status):
                guard
                    slot.didReceiveAnswer(to: opCode, credits: credits, atMilliseconds: now)
                else { return nil }
                var returned = Bytes<1>()
                returned[0] = status.rawValue
                return accept(opCode, returned.span, recorder: &recorder, nowMilliseconds: now)
            // What comes of links before a reset is over is of links that it ends.
            case .connectionComplete(let connection):
                if state == .running { opened(connection, recorder: &recorder, nowMilliseconds: now) }
            case .disconnectionComplete(let handle, let status, _):
                if status == .success { closed(handle, recorder: &recorder, nowMilliseconds: now) }
            case .connectionUpdated(let handle, let status, let timeout):
                if status == .success, let index = links.find(handle) {
                    links.slots[index]?.supervisionTimeout = timeout
                }
            case .completedPackets(var list):
                while let entry = list.next() { completed(entry.handle, Int(entry.count)) }
            case .longTermKeyRequest(let handle):
                if let index = links.find(handle) { links.slots[index]?.wantsKey = true }
            case .hardwareError(let code):
                // It is known to be in trouble already.
                return state == .halted ? nil : .down(.hardwareError(code))
            case .other: break
            }
        } catch {
            counters.malformedEvents &+= 1
        }
        return nil
    }

    @inline(never)
    private mutating func takeExtended(
        _ reports: ExtendedAdvertisingReports, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        if state == .running, roles.commands == .extended {
            ReportIntake.take(reports, recorder: &recorder, hearing: &hearing, nowMilliseconds: now)
        } else {
            // Not what was asked for, or from before a reset, but understood.
            var hearing = ScanStatistics()
            ReportIntake.take(reports, recorder: &recorder, hearing: &hearing, nowMilliseconds: now)
            if state == .running { self.hearing.noteExtendedReports() }
        }
    }

    /// Reports from before a reset: they were heard, but tell nothing of the radio as it is now.
    @inline(never)
    private static func takeLate(
        _ reports: AdvertisingReports, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        var hearing = ScanStatistics()
        ReportIntake.take(reports, recorder: &recorder, hearing: &hearing, nowMilliseconds: now)
    }

    private mutating func accept(
        _ opCode: OpCode, _ returned: Span<UInt8>, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) -> Notice? {
        hearing.noteAnswer(atMilliseconds: now)
        let status = returned.count > 0 ? Status(rawValue: returned[0]) : .invalidParameters
        if state == .bringingUp {
            do throws(BringUpError) { try bringUp.accept(returned) } catch {
                return .down(.bringUp(error))
            }
            guard bringUp.isComplete else { return nil }
            state = .running
            if settings.usesExtendedCommands, information.hasExtendedCommands, !hasFalseCommands {
                roles.commands = .extended
            }
            aclCredits = information.aclPacketCount
            return .up
        }
        if status == .unknownCommand, opCode.isExtended {
            // It has said that it knows it. Only a reset makes it take the older commands.
            hasFalseCommands = true
            return .down(.bringUp(.refused(opCode, status)))
        }
        if roles.noteAnswer(to: opCode, status, linkCount: links.count, nowMilliseconds: now) {
            guard let next = nextIdentity, roles.address == next.address else { return nil }
            adoptIdentity(nowMilliseconds: now)
            return .addressChanged
        }
        if furtherSets.noteAnswer(status) { return nil }
        if opCode == roles.commands.createConnection, status != .success {
            if status == .connectionLimitExceeded, links.count > 0 { refusedLinkCount = links.count }
            switch connecting {
            case .asked(let peer, _), .overdue(let peer):
                attemptFailed(with: peer, recorder: &recorder, nowMilliseconds: now)
            case .no, .wanted, .cancelled: break
            }
        } else if opCode == .readRSSI {
            noteRSSI(returned, recorder: &recorder, nowMilliseconds: now)
        } else if opCode == .disconnect, let handle = disconnecting {
            disconnecting = nil
            // It has ended already, and we were not told.
            if status == .unknownConnection { closed(handle, recorder: &recorder, nowMilliseconds: now) }
        }
        return nil
    }

    private mutating func opened(
        _ connection: ConnectionComplete, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        var wanted: DeviceAddress?
        if connection.isCentral || connection.status != .success {
            switch connecting {
            case .asked(let peer, _), .overdue(let peer), .cancelled(let peer, _):
                wanted = peer
                connecting = .no
            case .no, .wanted: break
            }
        }
        if !connection.isCentral {
            roles.noteIncomingConnection()
            furtherSets.noteIncomingConnection()
        }
        guard connection.status == .success else {
            if let wanted { attemptFailed(with: wanted, recorder: &recorder, nowMilliseconds: now) }
            return
        }
        if let index = links.find(connection.handle), let link = links.slots[index] {
            if wanted == nil, link.isSame(as: connection, nowMilliseconds: now) { return }
            // A controller that uses a handle again has ended the link it stood for.
            closed(connection.handle, recorder: &recorder, nowMilliseconds: now)
        }
        counters.links &+= 1
        guard let index = links.add(Link(connection, wanted: wanted, nowMilliseconds: now)) else {
            noteSurplus(connection.handle)
            return
        }
        // Who connects to us may have seen the last advert before we became somebody else: the server says whose that was.
        let payload = connection.isCentral ? identity.payload : server.herald.payload
        let schemes = connection.isCentral ? identity.schemes : server.own
        server.linkOpened(
            index, payload: payload, own: schemes, peer: wanted ?? connection.peer)
        if payload != identity.payload || schemes != identity.schemes {
            links.slots[index]?.mustEndMilliseconds = now + Self.oldLinkMilliseconds
        }
        if !connection.isCentral { cancelAttempt(to: connection.peer) }
        beginWork(index, recorder: &recorder, nowMilliseconds: now)
        evictForIncoming(recorder: recorder, nowMilliseconds: now)
    }

    /// The peer has come to us in the meantime.
    private mutating func cancelAttempt(to peer: DeviceAddress) {
        switch connecting {
        case .wanted(peer, _): connecting = .no
        case .asked(peer, _): connecting = .overdue(peer)
        case .no, .wanted, .asked, .overdue, .cancelled: break
        }
    }

    private mutating func closed(
        _ handle: ConnectionHandle, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let index = links.find(handle), let link = links.slots[index] else { return }
        aclCredits = min(aclCredits + link.packetsInController, information.aclPacketCount)
        abandonWork(index, recorder: &recorder, nowMilliseconds: now)
        links.remove(index)
    }

    private mutating func completed(_ handle: ConnectionHandle, _ count: Int) {
        guard let index = links.find(handle), let inController = links.slots[index]?.packetsInController
        else { return }
        // Never more than were sent, whatever the controller says.
        let returned = min(count, inController)
        links.slots[index]?.packetsInController = inController - returned
        aclCredits = min(aclCredits + returned, information.aclPacketCount)
    }

    private mutating func receiveData(
        _ packet: Span<UInt8>, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard packet.count >= 5, Int(packet.loadUInt16(at: 3)) == packet.count - 5,
            let boundary = ACLBoundary(rawValue: packet[2] >> 4 & 3),
            let index = links.find(ConnectionHandle(rawValue: packet.loadUInt16(at: 1)))
        else {
            counters.malformedData &+= 1
            return
        }
        links.slots[index]?.lastActivityMilliseconds = now
        server.herald.nowMilliseconds = now
        let outcome = links.slots[index]?.gatt.receive(
            packet.extracting(5..<packet.count), boundary: boundary, link: index, table: table,
            delegate: &server)
        if let parameters = outcome?.connectionParameters {
            links.slots[index]?.wantedParameters = parameters
        }
        if let event = outcome?.clientEvent {
            procedureEnded(index, event, recorder: &recorder, nowMilliseconds: now)
        } else if !messages.isEmpty {
            startNextProcedure(index, recorder: &recorder, nowMilliseconds: now)
        }
        if let (link, identity) = server.takeWritten(), let peer = links.slots[link]?.peer {
            recorder.identify(
                peer, as: identity.encoded.span, of: .bleProximity, marks: .written, nowMilliseconds: now)
        }
        if let message = server.herald.takeMessage() {
            received(message, recorder: &recorder, nowMilliseconds: now)
        }
    }

    /// A phone that cannot advertise writes who it is and how near it hears us (HP-C06, seen from our side); any may
    /// send something for the application at once, or tell whom else it has heard.
    private mutating func received(
        _ message: HeraldServer.Message, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[message.link]?.peer else { return }
        recorder.noteAwake(peer, nowMilliseconds: now)
        switch message.code {
        case .payload:
            let payload = server.herald.messagePayload(link: message.link)
            if !payload.isEmpty { identify(peer, payload, recorder: &recorder, nowMilliseconds: now) }
        case .rssi:
            guard let dBm = Int8(exactly: server.herald.messageRSSIDBm(link: message.link)),
                let rssi = RSSI(dBm: dBm)
            else { return }
            recorder.noteReading(rssi, writtenBy: peer, nowMilliseconds: now)
        case .payloadSharing:
            let rssi = Int8(exactly: server.herald.messageRSSIDBm(link: message.link)).flatMap {
                RSSI(dBm: $0)
            }
            if let rssi { recorder.noteReading(rssi, writtenBy: peer, nowMilliseconds: now) }
            let payloads = server.herald.messagePayload(link: message.link)
            guard !payloads.isEmpty else { return }
            recorder.noteSharedPayloads(payloads, rssi: rssi, from: peer, nowMilliseconds: now)
        case .immediateSend:
            recorder.noteMessage(
                server.herald.messagePayload(link: message.link), from: peer, nowMilliseconds: now)
        }
    }
}
