import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Drives the controller: brings it up, advertises and scans, makes and serves links. It only ever reacts: packets and
/// time go in, and whatever is to be sent next is asked for. So it never waits, and it can be replayed.
struct RadioController: ~Copyable {
    enum State: UInt8, BitwiseCopyable { case bringingUp, running }

    /// What the agent has to know.
    enum Notice: BitwiseCopyable {
        case up
        /// The controller must be started anew; all links and roles are gone already.
        case down(RadioFault)
    }

    private let settings: RadioSettings
    private let policy: LinkPolicy
    private(set) var state = State.bringingUp
    private var bringUp: ControllerBringUp
    private var slot = CommandSlot()
    private(set) var roles = Roles()
    private var plan: Roles.Plan
    private(set) var links: LinkTable
    private let table: HeraldServer.Table
    private(set) var server: HeraldServer
    private var aclCredits = 0
    private var connecting = Connecting.no
    private var keyRequestFrom: ConnectionHandle?
    private var random: UInt64
    private(set) var counters = RadioCounters()

    /// An attempt at a connection: commanded with LE Create Connection, ended by a Connection Complete in any case.
    private enum Connecting: BitwiseCopyable {
        case no
        /// Scanning and advertising stop first.
        case wanted(DeviceAddress, deadline: UInt64)
        case asked(DeviceAddress, deadline: UInt64)
        /// It took too long: to be cancelled, and cancelled.
        case overdue(DeviceAddress)
        case cancelled(DeviceAddress, deadline: UInt64)
    }

    init(
        settings: RadioSettings, policy: LinkPolicy, payload: FixedBuffer<512>, deviceName: Span<UInt8>,
        randomSeed: UInt64
    ) throws(MemoryError) {
        let links = try LinkTable(limit: settings.linkLimit)
        let server = try HeraldServer(payload: payload, linkLimit: settings.linkLimit + 1)
        self.links = links
        self.server = server
        table = HeraldServer.makeTable(deviceName: deviceName)
        self.settings = settings
        self.policy = policy
        bringUp = ControllerBringUp(randomAddress: settings.address)
        plan = Roles.Plan(
            scans: settings.scans, advertises: settings.advertises, advertisingType: .connectable)
        random = randomSeed
    }

    var information: ControllerInformation { bringUp.information }
    var address: DeviceAddress { settings.address }

    /// Begins anew with a reset: after a fault, or a new transport.
    mutating func restart(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        for index in links.indices {
            if let link = links.slots[index], link.gatt.isBusy {
                recorder.exchangeFailed(with: link.peer, nowMilliseconds: now, jitter: nextRandom())
            }
        }
        switch connecting {
        case .no: break
        case .wanted(let peer, _), .asked(let peer, _), .overdue(let peer), .cancelled(let peer, _):
            recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
        }
        links.removeAll()
        state = .bringingUp
        bringUp = ControllerBringUp(randomAddress: settings.address)
        slot = CommandSlot()
        roles = Roles()
        connecting = .no
        keyRequestFrom = nil
        aclCredits = 0
    }

    // MARK: What comes from the controller

    mutating func receive(_ packet: Span<UInt8>, recorder: inout Recorder, nowMilliseconds now: UInt64)
        -> Notice?
    {
        guard packet.count > 0 else { return nil }
        if packet[0] == PacketIndicator.aclData.rawValue {
            receiveData(packet, recorder: &recorder, nowMilliseconds: now)
            return nil
        }
        do throws(EventError) {
            switch try Event(packet) {
            case .advertisingReports(var reports):
                note(&reports, recorder: &recorder, nowMilliseconds: now)
            case .commandComplete(let opCode, let credits, let returned):
                guard slot.didReceiveAnswer(to: opCode, credits: credits) else { return nil }
                return accept(opCode, returned, recorder: &recorder, nowMilliseconds: now)
            case .commandStatus(let opCode, let credits, let status):
                guard slot.didReceiveAnswer(to: opCode, credits: credits) else { return nil }
                var returned = Bytes<1>()
                returned[0] = status.rawValue
                return accept(opCode, returned.span, recorder: &recorder, nowMilliseconds: now)
            case .connectionComplete(let connection):
                opened(connection, recorder: &recorder, nowMilliseconds: now)
            case .disconnectionComplete(let handle, let status, _):
                if status == .success { closed(handle, recorder: &recorder, nowMilliseconds: now) }
            case .completedPackets(var list):
                while let entry = list.next() { completed(entry.handle, Int(entry.count)) }
            case .longTermKeyRequest(let handle):
                keyRequestFrom = handle
            case .hardwareError(let code):
                return .down(.hardwareError(code))
            case .other: break
            }
        } catch {
            counters.malformedEvents &+= 1
        }
        return nil
    }

    @inline(__always)
    private func note(
        _ reports: inout AdvertisingReports, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard state == .running else { return }
        while let report = reports.next() {
            let recognition = HeraldRecognition(report.data)
            recorder.note(Sighting(report, recognition), nowMilliseconds: now)
            if recognition.isDamaged { recorder.noteMalformed() }
        }
        if reports.isDamaged { recorder.noteMalformed() }
    }

    private mutating func accept(
        _ opCode: OpCode, _ returned: Span<UInt8>, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) -> Notice? {
        let status = returned.count > 0 ? Status(rawValue: returned[0]) : .invalidParameters
        if state == .bringingUp {
            do throws(BringUpError) { try bringUp.accept(returned) } catch {
                return .down(.bringUp(error))
            }
            guard bringUp.isComplete else { return nil }
            state = .running
            aclCredits = information.aclPacketCount
            return .up
        }
        if roles.noteAnswer(to: opCode, status, asked: plan, nowMilliseconds: now) { return nil }
        if opCode == .leCreateConnection, status != .success, case .asked(let peer, _) = connecting {
            connecting = .no
            recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
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
        guard connection.status == .success else {
            if let wanted {
                recorder.exchangeFailed(with: wanted, nowMilliseconds: now, jitter: nextRandom())
            }
            return
        }
        if !connection.isCentral { roles.noteIncomingConnection() }
        counters.links &+= 1
        // A controller that uses a handle again has ended the link it stood for.
        if links.find(connection.handle) != nil {
            closed(connection.handle, recorder: &recorder, nowMilliseconds: now)
        }
        if links.count >= settings.linkLimit, let oldest = links.oldest {
            links.slots[oldest]?.ending = .wanted
        }
        guard let index = links.add(Link(connection, nowMilliseconds: now)) else { return }
        server.linkOpened(index)
        if !connection.isCentral { cancelAttempt(to: connection.peer) }
        // A link that a peer has made to us serves to read its identity as well.
        if connection.isCentral || recorder.needsIdentity(of: connection.peer) {
            links.slots[index]?.gatt.start(HeraldService.payloadSearch)
        }
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
        if link.gatt.isBusy {
            recorder.exchangeFailed(with: link.peer, nowMilliseconds: now, jitter: nextRandom())
        }
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
        let outcome = links.slots[index]?.gatt.receive(
            packet.extracting(5..<packet.count), boundary: boundary, link: index, table: table,
            delegate: &server)
        if let parameters = outcome?.connectionParameters {
            links.slots[index]?.wantedParameters = parameters
        }
        if let event = outcome?.clientEvent {
            exchangeEnded(index, event, recorder: &recorder, nowMilliseconds: now)
        }
        if let message = server.takeMessage() {
            received(message, recorder: &recorder, nowMilliseconds: now)
        }
    }

    /// The peer's identity has been read, or cannot be: either way a link of ours has done its work (HP-C23).
    private mutating func exchangeEnded(
        _ index: Int, _ event: AttributeClientEvent, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let link = links.slots[index] else { return }
        links.slots[index]?.isExchangeOver = true
        switch event {
        case .finished:
            counters.identitiesRead &+= 1
            if let identity = FixedBuffer<512>(link.gatt.value), !identity.isEmpty {
                recorder.identify(link.peer, identity: identity, nowMilliseconds: now)
            } else {
                recorder.exchangeFailed(with: link.peer, nowMilliseconds: now, jitter: nextRandom())
            }
        case .failed(.serviceNotFound), .failed(.characteristicNotFound):
            recorder.exchangeFoundStranger(link.peer, nowMilliseconds: now, jitter: nextRandom())
        case .failed:
            recorder.exchangeFailed(with: link.peer, nowMilliseconds: now, jitter: nextRandom())
        }
    }

    /// A phone that cannot advertise writes who it is and how near it hears us (HP-C06, seen from our side).
    private func received(
        _ message: HeraldServer.Message, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[message.link]?.peer else { return }
        switch message.code {
        case .payload:
            let payload = server.messagePayload(link: message.link)
            if !payload.isEmpty { recorder.identify(peer, identity: payload, nowMilliseconds: now) }
        case .rssi:
            guard let dBm = Int8(exactly: server.messageRSSIDBm(link: message.link)),
                let rssi = RSSI(dBm: dBm)
            else { return }
            recorder.note(
                Sighting(
                    address: peer, rssi: rssi, transmitPower: nil, interest: .participant,
                    foundBy: .connectedToUs, isConnectable: false), nowMilliseconds: now)
        case .payloadSharing, .immediateSend: break
        }
    }

    // MARK: Time

    /// Whatever is due by now. Returns a notice when the controller has stopped answering.
    mutating func advance(recorder: inout Recorder, nowMilliseconds now: UInt64) -> Notice? {
        if slot.isOverdue(atMilliseconds: now), let opCode = slot.pending {
            counters.commandTimeouts &+= 1
            return .down(.commandTimeout(opCode))
        }
        guard state == .running else { return nil }
        switch connecting {
        case .no: chooseConnection(recorder: &recorder, nowMilliseconds: now)
        case .wanted(let peer, let deadline):
            if now >= deadline {
                connecting = .no
                recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
            }
        case .asked(let peer, let deadline):
            if now >= deadline { connecting = .overdue(peer) }
        case .overdue: break
        case .cancelled(_, let deadline):
            // The cancelled attempt must end with a Connection Complete. A controller that forgets it is stuck.
            if now >= deadline { return .down(.stuckConnecting) }
        }
        for index in links.indices {
            guard let link = links.slots[index], link.ending == .no else { continue }
            if policy.hasServed(link, nowMilliseconds: now) { links.slots[index]?.ending = .wanted }
        }
        plan = Roles.Plan(
            scans: settings.scans, advertises: settings.advertises,
            advertisingType: links.count < settings.linkLimit ? .connectable : .nonConnectable)
        if case .no = connecting {
            plan = roles.due(plan, nowMilliseconds: now)
        } else {
            plan.scans = false
            plan.advertises = false
        }
        return nil
    }

    private mutating func chooseConnection(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard settings.scans, links.count < settings.linkLimit,
            let peer = policy.nextPeer(
                in: recorder, nowMilliseconds: now, excluding: { links.isConnected(to: $0) })
        else { return }
        recorder.exchangeStarted(with: peer)
        connecting = .wanted(peer, deadline: now + policy.connectTimeoutMilliseconds)
    }

    private mutating func nextRandom() -> UInt64 {
        // xorshift: jitter needs no more than that.
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random
    }

    // MARK: What goes to the controller

    /// The next packet to send, if one may be sent now. It counts as sent.
    mutating func takePacket(nowMilliseconds now: UInt64, into packet: inout FixedBuffer<1100>) -> Bool {
        packet.removeAll()
        if slot.canSend, let command = nextCommand(nowMilliseconds: now) {
            slot.didSend(command.opCode, atMilliseconds: now)
            return (try? packet.append(command.packet.span)) != nil
        }
        return state == .running && aclCredits > 0 && takeData(into: &packet)
    }

    private mutating func nextCommand(nowMilliseconds now: UInt64) -> Command? {
        guard state == .running else { return bringUp.command }
        if let handle = keyRequestFrom {
            keyRequestFrom = nil
            return .leLongTermKeyRequestNegativeReply(handle)
        }
        for index in links.indices {
            guard let link = links.slots[index] else { continue }
            if link.ending == .wanted {
                links.slots[index]?.ending = .asked
                return .disconnect(link.handle)
            }
            if let wanted = link.wantedParameters {
                links.slots[index]?.wantedParameters = nil
                return .leConnectionUpdate(
                    link.handle, intervalMinimum: wanted.intervalMinimum,
                    intervalMaximum: wanted.intervalMaximum, latency: wanted.latency,
                    supervisionTimeout: wanted.supervisionTimeout)
            }
        }
        if case .overdue(let peer) = connecting {
            connecting = .cancelled(peer, deadline: now + 2 * CommandSlot.timeoutMilliseconds)
            return .leCreateConnectionCancel
        }
        if let command = roles.nextCommand(towards: plan, settings: settings, nowMilliseconds: now) {
            return command
        }
        if case .wanted(let peer, let deadline) = connecting, !roles.isScanning, !roles.isAdvertising {
            connecting = .asked(peer, deadline: deadline)
            return .leCreateConnection(
                to: peer, scanIntervalSlots: settings.scanIntervalSlots,
                scanWindowSlots: settings.scanWindowSlots, usesRandomAddress: true)
        }
        return nil
    }

    private mutating func takeData(into packet: inout FixedBuffer<1100>) -> Bool {
        guard let index = links.takeNextToSend(), let handle = links.slots[index]?.handle else {
            return false
        }
        let byteCount = information.aclDataByteCount
        var data = FixedBuffer<1024>()
        guard let boundary = links.slots[index]?.gatt.nextFragment(maximumByteCount: byteCount, into: &data)
        else {
            return false
        }
        links.slots[index]?.packetsInController += 1
        aclCredits -= 1
        do throws(CapacityError) {
            try packet.append(PacketIndicator.aclData.rawValue)
            try packet.append(littleEndian: handle.rawValue | UInt16(boundary.rawValue) << 12)
            try packet.append(littleEndian: UInt16(truncatingIfNeeded: data.count))
            try packet.append(data.span)
        } catch {
            return false
        }
        return true
    }
}
