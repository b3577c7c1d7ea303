import FixedMemory
import GATT
import HCI
import Protocols
import TestSupport

/// A controller behind HCI, with the phones on its air. It is strict: it refuses every command that the
/// specification lets a controller refuse, and records misuse that would upset a real one in ``violations``.
final class TestController {
    /// Packets waiting for the host.
    var toHost: [[UInt8]] = []
    private(set) var commands: [OpCode] = []
    private(set) var parameters: [[UInt8]] = []
    private(set) var violations: [String] = []

    // Misbehaviour that a test can choose.
    var isTransportBroken = false
    var reopenCount = 0
    /// Commands that it neither executes nor answers.
    var silentTo: Set<UInt16> = []
    /// Commands that it executes without an answer.
    var losesAnswersTo: Set<UInt16> = []
    /// Commands that it refuses, with the status and the number of refusals.
    var refusals: [UInt16: (Status, Int)] = [:]
    var canDoBoth = true
    var isConnectableBesideLinks = true
    /// The maximum number of links. It refuses more with ``linkLimitStatus``.
    var linkLimit = 16
    var linkLimitStatus = Status.connectionLimitExceeded
    /// Whether it has the extended commands. ``SetsOfCommands`` derives their effect.
    var hasExtendedAdvertising = false
    /// The mask of supported commands that it reports.
    var supportedCommands = [UInt8](repeating: 0xff, count: 64)
    /// The maximum number of advertising sets.
    var setLimit = 1
    private var sets: Set<UInt8> = []
    /// Whether it omits the report of how an attempt ended.
    var forgetsConnectionComplete = false
    var forgetsDisconnections = false
    /// The supervision timeout of links, in units of 10 ms.
    var supervisionTens: UInt16 = 500
    /// Whether it holds data packets back and returns no credits.
    var holdsData = false
    /// A phone that connects while advertising is being stopped.
    var connectsBeforeAdvertisingStops: TestPhone?
    /// A phone that connects while scanning is being stopped.
    var connectsBeforeScanningStops: TestPhone?
    /// Whether an incoming connection also stops scanning, without a report.
    var losesScanWithAConnection = false
    /// A phone that connects the moment advertising starts.
    var connectsWhenAdvertisingStarts: TestPhone?

    /// The current fault in its scanning or its reports.
    var fault: AirFault?
    /// The weakest action that mends the fault once ``hasCause`` is false.
    var cure = Cure.scanRestart
    var hasCause = true
    /// Whether it answers nothing until it is mended.
    var isDead = false
    private var reported: Set<UInt64> = []
    /// The number of reports without a fault.
    private(set) var goodReportCount = 0
    private var isUnderWay = false

    enum AirFault: CaseIterable, Sendable {
        case silence, emptyReports, duplicatesFiltered, scanResponses, extendedReports, unknownRSSI
    }

    /// Actions that may mend a fault, weakest first. Each includes the effect of those before it.
    enum Cure: Int, CaseIterable, Sendable { case scanRestart, rolesRestart, reset, reopen, powerCycle }

    /// Applies an action of the host, which may mend the fault.
    func hostDid(_ action: Cure) {
        guard !hasCause, cure.rawValue <= action.rawValue else { return }
        fault = nil
        isDead = false
    }

    // Current state.
    private(set) var isScanning = false
    private(set) var isAdvertising = false
    private(set) var advertisingType: UInt8 = 0
    private(set) var advertisingData: [UInt8] = []
    private(set) var randomAddress: [UInt8] = []
    private(set) var connectingTo: DeviceAddress?
    private(set) var links: [UInt16: TestPhone] = [:]
    private var heldData: [UInt16: Int] = [:]
    private var nextHandle: UInt16 = 0x40
    let aclPacketCount = 3

    var phones: [TestPhone] = []
    private(set) var reportCount = 0

    // MARK: From the host

    func receive(_ packet: [UInt8]) {
        switch packet.first {
        case PacketIndicator.command.rawValue where packet.count >= 4 && Int(packet[3]) == packet.count - 4:
            let opCode = OpCode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
            commands.append(opCode)
            parameters.append(Array(packet[4...]))
            if opCode == .reset { hostDid(.reset) }
            guard !isDead, !silentTo.contains(opCode.rawValue) else { return }
            if let (status, count) = refusals[opCode.rawValue], count > 0 {
                refusals[opCode.rawValue] = (status, count - 1)
                answer(opCode, status)
            } else {
                perform(opCode, Array(packet[4...]))
            }
        case PacketIndicator.aclData.rawValue: receiveData(packet)
        default: violations.append("unreadable packet \(packet.hex)")
        }
    }

    private func answer(_ opCode: OpCode, _ status: Status, _ returned: [UInt8] = []) {
        guard !losesAnswersTo.contains(opCode.rawValue) else { return }
        let code = [UInt8(opCode.rawValue & 255), UInt8(opCode.rawValue >> 8)]
        switch opCode {
        case .leCreateConnection, .leExtendedCreateConnection, .disconnect, .leConnectionUpdate:
            event(0x0f, [status.rawValue, 1] + code)
        default: event(0x0e, [1] + code + [status.rawValue] + returned)
        }
    }

    func event(_ code: UInt8, _ parameters: [UInt8]) {
        toHost.append([4, code, UInt8(parameters.count)] + parameters)
    }

    private func perform(_ opCode: OpCode, _ parameters: [UInt8]) {
        switch opCode {
        case .reset:
            sets = []
            isScanning = false
            isAdvertising = false
            connectingTo = nil
            links = [:]
            heldData = [:]
            answer(opCode, .success)
        case .readLocalVersion: answer(opCode, .success, [UInt8](hex: "09 0000 09 0f00 0000"))
        case .readDeviceAddress: answer(opCode, .success, [UInt8](hex: "665544332211"))
        case .readLocalSupportedCommands: answer(opCode, .success, supportedCommands)
        case .leReadLocalFeatures:
            answer(
                opCode, .success, [0, hasExtendedAdvertising ? 0x10 : 0] + [UInt8](repeating: 0, count: 6))
        case .leReadBufferSize: answer(opCode, .success, [27, 0, UInt8(aclPacketCount)])
        case .leSetRandomAddress:
            guard !isScanning, !isAdvertising, connectingTo == nil else {
                violations.append("address set while it is in use")
                return answer(opCode, .commandDisallowed)
            }
            randomAddress = parameters
            answer(opCode, .success)
        case .leSetScanParameters: answer(opCode, isScanning ? .commandDisallowed : .success)
        case .leSetScanEnable: enableScan(parameters[0] == 1)
        case .leSetAdvertisingParameters:
            guard !isAdvertising else { return answer(opCode, .commandDisallowed) }
            advertisingType = parameters[4]
            answer(opCode, .success)
        case .leSetAdvertisingData:
            advertisingData = Array(parameters[1...].prefix(Int(parameters[0])))
            answer(opCode, .success)
        case .leSetAdvertisingEnable: enableAdvertising(parameters[0] == 1)
        case .leSetExtendedAdvertisingParameters:
            let isNew = !sets.contains(parameters[0])
            if isNew, sets.count == setLimit { return answer(opCode, Status(rawValue: 0x07)) }
            sets.insert(parameters[0])
            answer(opCode, .success, [0])
        case .leCreateConnection: connect(parameters)
        case .leCreateConnectionCancel:
            guard connectingTo != nil else { return answer(opCode, .commandDisallowed) }
            answer(opCode, .success)
            if !forgetsConnectionComplete { complete(.unknownConnection, nil) }
        case .disconnect: disconnect(parameters)
        case .readRSSI:
            let phone = links[UInt16(parameters[0]) | UInt16(parameters[1]) << 8]
            answer(opCode, .success, parameters + [UInt8(bitPattern: phone?.rssiDBm ?? 127)])
        default: answer(opCode, .success)
        }
    }

    private func enableScan(_ isOn: Bool) {
        if isOn, isAdvertising, !canDoBoth { return answer(.leSetScanEnable, .commandDisallowed) }
        if isOn, connectingTo != nil { violations.append("scan while connecting") }
        if isOn, !isScanning {
            reported = []
            hostDid(isUnderWay ? .scanRestart : .rolesRestart)
        }
        if !isOn, isScanning, let phone = connectsBeforeScanningStops {
            connectsBeforeScanningStops = nil
            connectFrom(phone)
        }
        isScanning = isOn
        isUnderWay = isScanning || isAdvertising
        answer(.leSetScanEnable, .success)
    }

    private func enableAdvertising(_ isOn: Bool) {
        let isRefused =
            isScanning && !canDoBoth || !links.isEmpty && advertisingType == 0 && !isConnectableBesideLinks
        if isOn, isRefused { return answer(.leSetAdvertisingEnable, .commandDisallowed) }
        if isOn, advertisingType == 0, links.count >= linkLimit {
            return answer(.leSetAdvertisingEnable, linkLimitStatus)
        }
        if isOn, connectingTo != nil { violations.append("advertising while connecting") }
        if !isOn, isAdvertising, let phone = connectsBeforeAdvertisingStops {
            connectsBeforeAdvertisingStops = nil
            connectFrom(phone)
        }
        if isOn, !isUnderWay { hostDid(.rolesRestart) }
        isAdvertising = isOn
        isUnderWay = isScanning || isAdvertising
        answer(.leSetAdvertisingEnable, .success)
        if isOn, let phone = connectsWhenAdvertisingStarts {
            connectsWhenAdvertisingStarts = nil
            connectFrom(phone)
        }
    }

    private func connect(_ parameters: [UInt8]) {
        guard connectingTo == nil else { return answer(.leCreateConnection, .commandDisallowed) }
        guard links.count < linkLimit else { return answer(.leCreateConnection, .connectionLimitExceeded) }
        if isScanning { violations.append("connecting while scanning") }
        if isAdvertising { violations.append("connecting while advertising") }
        connectingTo = DeviceAddress(
            littleEndian: parameters.span.loadUInt48(at: 6), addressType: parameters[5])
        answer(.leCreateConnection, .success)
    }

    private func complete(_ status: Status, _ phone: TestPhone?) {
        let peer = connectingTo
        connectingTo = nil
        report(status, phone, peer ?? DeviceAddress(value: 0, isRandom: false), role: 0)
    }

    private func report(_ status: Status, _ phone: TestPhone?, _ peer: DeviceAddress, role: UInt8) {
        let handle = nextHandle
        if let phone, status == .success {
            nextHandle += 1
            links[handle] = phone
            phone.linkOpened(role: role == 0 ? .peripheral : .central)
        }
        let numbers = Self.timing(supervisionTens) + [0]
        event(
            0x3e,
            [1, status.rawValue, UInt8(handle & 255), UInt8(handle >> 8), role, peer.addressType]
                + peer.bytes.span.array + numbers)
    }

    private func disconnect(_ parameters: [UInt8]) {
        let handle = parameters.span.loadUInt16(at: 0)
        guard links[handle] != nil else { return answer(.disconnect, .unknownConnection) }
        answer(.disconnect, .success)
        if !forgetsDisconnections { drop(handle, reason: 0x16) }
    }

    // MARK: The air

    /// Ends a link, and reports it to the host.
    func drop(_ handle: UInt16, reason: UInt8 = 0x13) {
        links[handle]?.linkClosed()
        links[handle] = nil
        heldData[handle] = nil
        event(0x05, [0, UInt8(handle & 255), UInt8(handle >> 8), reason])
    }

    func handle(of phone: TestPhone) -> UInt16? { links.first { $0.value === phone }?.key }

    /// Has `phone` connect, if the controller advertises as connectable.
    @discardableResult
    func connectFrom(_ phone: TestPhone) -> Bool {
        guard isAdvertising, advertisingType == 0 else { return false }
        isAdvertising = false
        if losesScanWithAConnection { isScanning = false }
        report(.success, phone, phone.address, role: 1)
        return true
    }

    /// Has `phone` connect, whether or not the controller advertises.
    func forceConnect(from phone: TestPhone) {
        isAdvertising = false
        report(.success, phone, phone.address, role: 1)
    }

    /// Ends all links without a report to the host.
    func loseLinks() {
        for phone in links.values { phone.linkClosed() }
        links = [:]
        heldData = [:]
    }

    /// Runs the air at `now`: reports adverts, completes connections, and moves data.
    func tick(_ now: UInt64) {
        for phone in phones where isScanning && phone.isHeard(at: now) { report(phone.advert, of: phone) }
        if let peer = connectingTo, let phone = phones.first(where: { $0.address == peer && $0.accepts }) {
            complete(.success, phone)
        }
        for (handle, phone) in links.sorted(by: { $0.key < $1.key }) {
            for packet in phone.takePackets(handle: handle) { toHost.append(packet) }
        }
    }

    func report(_ advert: [UInt8], of phone: TestPhone) {
        switch fault {
        case nil:
            goodReportCount += 1
            report(phone, advert)
        case .silence: return
        case .emptyReports: report(phone, [])
        case .duplicatesFiltered:
            guard reported.insert(phone.address.key).inserted else { return }
            report(phone, advert)
        case .scanResponses:
            report(phone, advert)
            report(phone, [2, 0x0a, 0], kind: 4)
        case .extendedReports: event(0x3e, [0x0d, 1] + [UInt8](repeating: 0, count: 24))
        case .unknownRSSI: report(phone, advert, rssiDBm: 127)
        }
    }

    private func report(_ phone: TestPhone, _ advert: [UInt8], kind: UInt8? = nil, rssiDBm: Int8? = nil) {
        reportCount += fault == .extendedReports ? 0 : 1
        event(
            0x3e,
            [2, 1, kind ?? (phone.isConnectable ? 0 : 3), phone.address.addressType]
                + phone.address.bytes.span.array + [UInt8(advert.count)] + advert
                + [UInt8(bitPattern: rssiDBm ?? phone.rssiDBm)])
    }

    /// The connection's interval, latency and supervision timeout, as in the HCI events.
    private static func timing(_ supervisionTens: UInt16) -> [UInt8] {
        [UInt8](hex: "1800 0000") + [UInt8(supervisionTens & 255), UInt8(supervisionTens >> 8)]
    }

    /// Has the peer change the supervision timeout of its link.
    func update(_ handle: UInt16, supervisionTens: UInt16) {
        event(
            0x3e, [3, 0, UInt8(handle & 255), UInt8(handle >> 8)] + Self.timing(supervisionTens))
    }

    private func receiveData(_ packet: [UInt8]) {
        let handle = packet.span.loadUInt16(at: 1) & 0x0fff
        guard let phone = links[handle] else { return violations.append("data for no link") }
        if packet.count - 5 > 27 { violations.append("data packet too long") }
        heldData[handle, default: 0] += 1
        if heldData.values.reduce(0, +) > aclPacketCount { violations.append("more data than buffers") }
        phone.receive(packet)
        if !holdsData { releaseData() }
    }

    func releaseData() {
        for (handle, count) in heldData where count > 0 {
            event(0x13, [1, UInt8(handle & 255), UInt8(handle >> 8), UInt8(count), 0])
            heldData[handle] = 0
        }
    }
}
