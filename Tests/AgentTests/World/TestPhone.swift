import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import TestSupport

/// A phone with Herald. It runs the project's own GATT at the other end of a link.
final class TestPhone {
    let address: DeviceAddress
    var advert: [UInt8]
    var rssiDBm: Int8 = -60
    var isConnectable = true
    /// Whether it accepts connections.
    var accepts = true
    var isAway = false
    /// Whether it takes packets without an answer.
    var isMute = false
    /// Whether it serves Herald.
    var hasHerald = true
    /// Whether it reads the board's payload once it has connected.
    var readsUs = true
    private(set) var payloadRead: [UInt8]?
    /// The longest ATT packet of its stack, in bytes.
    var maximumMTU: UInt16 = 517
    /// The request at which it falls mute: the `count`th with this opcode.
    var mutesAt: (opcode: UInt8, count: Int)?
    /// How it answers a request to exchange the MTU.
    var mtuManners = MTUManners.answers
    /// Whether it answers writes to its signal characteristic with an error.
    var refusesWrites: Bool {
        get { server.refusesWrites }
        set { server.refusesWrites = newValue }
    }
    /// The ATT requests and commands received.
    private(set) var requests: [[UInt8]] = []
    /// The notifications received.
    private(set) var notifications: [[UInt8]] = []
    /// The complete signal messages received.
    private(set) var messages: [SignalMessage] = []

    enum MTUManners: Equatable {
        case answers, isSilent
        case refuses(ATTError)
    }

    struct SignalMessage: Equatable {
        var code: HeraldSignalCode
        var data: [UInt8] = []
        var rssiDBm: Int16 = 0
    }

    /// The signal characteristics that it can host.
    enum Signal { case compliant, nonCompliant, both, unwritable, none }

    /// The values received in write requests, in prepared writes, and in write commands. The board must not
    /// send
    /// write commands.
    var writes: [[UInt8]] { values(after: 3, of: 0x12) }
    var preparedWrites: [[UInt8]] { values(after: 5, of: 0x16) }
    var commands: [[UInt8]] { values(after: 3, of: 0x52) }

    private func values(after count: Int, of opcode: UInt8) -> [[UInt8]] {
        requests.filter { $0.first == opcode }.map { Array($0.dropFirst(count)) }
    }
    private(set) var linkCount = 0
    private(set) var isConnected = false

    private let table: HeraldServer.Table
    private var server: PickyServer
    private var reassembler = L2CAPReassembler()
    private var gatt = GATTLink(role: .peripheral)
    /// An answer that the project's GATT would not send, as an L2CAP packet.
    private var ownAnswer: [UInt8]?

    static let heraldAdvert = [UInt8](hex: "02011a0303f6fc020a0c")

    /// Makes a phone whose device information names `model` and `maker`.
    init(
        _ number: UInt64, payload: [UInt8] = [0x10, 1, 2, 3], advert: [UInt8] = heraldAdvert,
        signal: Signal = .compliant, model: String? = nil, maker: String? = nil
    ) throws {
        address = .staticRandom(seed: 0x5000 + number)
        self.advert = advert
        var buffer = FixedBuffer<512>()
        try buffer.append(payload.span)
        server = PickyServer(herald: try HeraldServer(payload: buffer, linkLimit: 1))
        table = try Self.makeTable(signal, model, maker)
    }

    private static func makeTable(
        _ signal: Signal, _ model: String?, _ maker: String?
    ) throws -> HeraldServer.Table {
        let name = Array("Phone".utf8)
        if signal == .compliant, model == nil, maker == nil {
            return HeraldServer.makeTable(deviceName: name.span)
        }
        let (payloadValue, signalValue) = (ValueIdentifier(rawValue: 1), ValueIdentifier(rawValue: 2))
        var table = HeraldServer.Table()
        if model == nil, maker == nil { try table.addGenericServices(deviceName: name.span, appearance: 0) }
        try table.addService(HeraldService.current)
        try table.addCharacteristic(HeraldService.payload, .read, value: payloadValue)
        if signal == .compliant || signal == .both {
            try table.addCharacteristic(HeraldService.compliantSignal, .write, value: signalValue)
        }
        if signal == .nonCompliant || signal == .both {
            try table.addCharacteristic(
                HeraldService.nonCompliantSignal, .write.union(.notify), value: signalValue)
        }
        if signal == .unwritable {
            try table.addCharacteristic(
                HeraldService.nonCompliantSignal, .writeWithoutResponse.union(.notify), value: signalValue)
        }
        if model != nil || maker != nil { try table.addService(BluetoothUUID(0x180a)) }
        if let model {
            try table.addCharacteristic(BluetoothUUID(0x2a24), constant: Array(model.utf8).span)
        }
        if let maker {
            try table.addCharacteristic(BluetoothUUID(0x2a29), constant: Array(maker.utf8).span)
        }
        return table
    }

    /// A scheme other than Herald: one characteristic in one service.
    struct Scheme {
        var service: BluetoothUUID
        var characteristic: BluetoothUUID
        var properties = CharacteristicProperties.read.union(.notify)
        /// The value served. If nil, a read fails.
        var value: [UInt8]?

        init(_ scheme: SchemeService, _ value: [UInt8]?) {
            service = scheme.service
            characteristic = scheme.identity
            if scheme.scheme == .bleProximity {
                properties = CharacteristicProperties.read.union(.write).union(.writeWithoutResponse)
            }
            self.value = value
        }
    }

    /// Whether it answers a read at any offset with the whole value, as the original apps do.
    var ignoresOffsets = false

    /// Makes a phone with these schemes. It has Herald if `payload` is given, and takes messages if
    /// `hasSignal`.
    convenience init(
        _ number: UInt64, schemes: [Scheme], herald payload: [UInt8]? = nil, advert: [UInt8] = [],
        hasSignal: Bool = false
    ) throws {
        try self.init(number, payload: payload ?? [], advert: advert)
        var table = AttributeTable<32>()
        if payload != nil {
            try table.addService(HeraldService.current)
            try table.addCharacteristic(HeraldService.payload, .read, value: ValueIdentifier(rawValue: 1))
        }
        if hasSignal {
            try table.addCharacteristic(
                HeraldService.compliantSignal, .write, value: ValueIdentifier(rawValue: 2))
        }
        for (index, scheme) in schemes.enumerated() {
            let identifier = ValueIdentifier(rawValue: UInt8(Self.firstSchemeValue + index))
            try table.addService(scheme.service)
            try table.addCharacteristic(scheme.characteristic, scheme.properties, value: identifier)
        }
        schemeTable = table
        schemeValues = schemes.map(\.value)
    }

    /// The value that it serves for each of its schemes.
    var schemeValues: [[UInt8]?] {
        get { server.schemeValues }
        set { server.schemeValues = newValue }
    }
    fileprivate static let firstSchemeValue = 10
    private var schemeTable: AttributeTable<32>?

    /// The interval between adverts, in milliseconds.
    var every: UInt64 = 250

    func isHeard(at now: UInt64) -> Bool { !isAway && now.isMultiple(of: every) }

    func linkOpened(role: LinkRole) {
        gatt = GATTLink(role: role)
        reassembler = L2CAPReassembler()
        server.linkOpened()
        linkCount += 1
        isConnected = true
        if role == .central, readsUs { gatt.start(HeraldService.payloadSearch) }
    }

    func linkClosed() { isConnected = false }

    func receive(_ packet: [UInt8]) {
        guard let boundary = ACLBoundary(rawValue: packet[2] >> 4 & 3) else { return }
        let data = withoutOffset(withSmallMTU(Array(packet[5...])))
        if reassembler.receive(data.span, boundary: boundary),
            let opcode = ATTOpcode(rawValue: reassembler.payload[0]),
            !opcode.isFromServer || opcode == .handleValueNotification
        {
            if opcode == .handleValueNotification {
                notifications.append(reassembler.payload.array)
                return
            }
            requests.append(reassembler.payload.array)
            if let at = mutesAt, requests.count(where: { $0.first == at.opcode }) == at.count {
                isMute = true
                mutesAt = nil
            }
            if opcode == .exchangeMTURequest, mtuManners != .answers {
                if case .refuses(let error) = mtuManners {
                    ownAnswer = [5, 0, 4, 0, 1, opcode.rawValue, 0, 0, error.rawValue]
                }
                return
            }
        }
        guard !isMute else { return }
        serve(data, boundary)
    }

    private func serve(_ data: [UInt8], _ boundary: ACLBoundary) {
        guard hasHerald else {
            let nothing = AttributeTable<1>()
            _ = gatt.receive(data.span, boundary: boundary, link: 0, table: nothing, delegate: &server)
            return
        }
        let outcome =
            if let schemeTable {
                gatt.receive(
                    data.span, boundary: boundary, link: 0, table: schemeTable, delegate: &server)
            } else {
                gatt.receive(data.span, boundary: boundary, link: 0, table: table, delegate: &server)
            }
        if outcome.clientEvent == .finished { payloadRead = gatt.value.array }
        if let message = server.takeMessage() { messages.append(message) }
    }

    /// Ends the silence, and answers the last request. ATT allows only one pending request.
    func answerLast() {
        isMute = false
        guard let request = requests.last else { return }
        let pdu = [UInt8(request.count), 0, 4, 0] + request
        for start in stride(from: 0, to: pdu.count, by: 27) {
            serve(
                Array(pdu[start..<min(start + 27, pdu.count)]),
                start == 0 ? .firstFlushable : .continuation)
        }
    }

    /// Starts a read of the board's payload.
    func read() {
        payloadRead = nil
        gatt.start(HeraldService.payloadSearch)
    }

    /// The findings of its last search on the board.
    var found: CharacteristicFindings { gatt.findings }

    /// Starts a search on the board, and a read of what it finds. The result is in ``payloadRead``.
    func look(for search: CharacteristicSearch) {
        payloadRead = nil
        gatt.start(search)
    }

    /// Writes to the board's signal characteristic, or to another `handle`.
    func write(_ value: [UInt8], handle: UInt16 = 11) throws {
        try gatt.startWriting(value.span, handle: handle)
    }

    func takePackets(handle: UInt16) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        if let answer = ownAnswer {
            packets.append(
                [2, UInt8(handle & 255), UInt8(handle >> 8) | 0x20, UInt8(answer.count), 0] + answer)
            ownAnswer = nil
        }
        var data = FixedBuffer<27>()
        while let boundary = gatt.nextFragment(maximumByteCount: 27, into: &data) {
            // A controller marks the first fragment of a packet as "flushable".
            let flag: UInt16 = boundary == .continuation ? 1 : 2
            let word = handle | flag << 12
            packets.append(
                [2, UInt8(word & 255), UInt8(word >> 8), UInt8(data.count), 0]
                    + withSmallMTU(data.span.array))
            data.removeAll()
        }
        return packets
    }

    private func withoutOffset(_ bytes: [UInt8]) -> [UInt8] {
        guard ignoresOffsets, bytes.count == 9, bytes[4] == 0x0c else { return bytes }
        return bytes[..<7] + [0, 0]
    }

    /// Lowers the MTU in requests and responses of the exchange to ``maximumMTU``, in both directions.
    private func withSmallMTU(_ bytes: [UInt8]) -> [UInt8] {
        guard maximumMTU < 517, bytes.count == 7, bytes[0] == 3, bytes[1] == 0, bytes[2] == 4,
            bytes[4] == 2 || bytes[4] == 3
        else { return bytes }
        return bytes[..<5] + [UInt8(maximumMTU & 255), UInt8(maximumMTU >> 8)]
    }
}

/// A Herald server that can refuse writes.
private struct PickyServer: AttributeDelegate, ~Copyable {
    var herald: HeraldServer
    var refusesWrites = false
    var schemeValues: [[UInt8]?] = []

    mutating func linkOpened() { herald.linkOpened(0) }

    mutating func takeMessage() -> TestPhone.SignalMessage? {
        guard let message = herald.takeMessage() else { return nil }
        let payload = herald.messagePayload(link: 0)
        return TestPhone.SignalMessage(
            code: message.code, data: payload.span.array, rssiDBm: herald.messageRSSIDBm(link: 0))
    }

    mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)
    {
        let index = Int(identifier.rawValue) - TestPhone.firstSchemeValue
        guard index >= 0 else { return try herald.read(identifier, link: link, into: &value) }
        guard let said = schemeValues[index] else { throw .unlikelyError }
        try? value.append(said.span)
    }

    mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
    {
        if refusesWrites { throw .unlikelyError }
        if Int(identifier.rawValue) >= TestPhone.firstSchemeValue { return }
        try herald.write(identifier, link: link, value: value, kind: kind)
    }
}
