import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Simulator
import TestSupport

@testable import Simulator

/// A phone that does what a test prescribes. It runs the project's own GATT at the other end of a link.
final class ScriptedPhone {
    let address: DeviceAddress
    var advert: [UInt8] { didSet { station?.advertiseAgain() } }
    /// The strength at which phone and board receive each other.
    var rssiDBm: Int8 = -60 { didSet { station?.advertiseAgain() } }
    var isConnectable = true { didSet { station?.advertiseAgain() } }
    /// The interval between adverts, in milliseconds.
    var every: UInt64 = 250 { didSet { station?.advertiseAgain() } }
    /// Whether it is one of the phones that advertise.
    var isOnAir = false { didSet { station?.advertiseAgain() } }
    /// Whether it is silent for a while. Its links stay.
    var isAway = false { didSet { station?.advertiseAgain() } }
    /// Whether it answers connection requests.
    var accepts = true
    /// The supervision timeout of the links that it makes, in units of 10 ms.
    var supervisionTens: UInt64 = 500
    /// The world keeps it.
    private(set) weak var station: PhoneStation?
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

    /// The values received in write requests, in prepared writes, and in write commands. The board must not
    /// send write commands.
    var writes: [[UInt8]] { values(after: 3, of: 0x12) }
    var preparedWrites: [[UInt8]] { values(after: 5, of: 0x16) }
    var commands: [[UInt8]] { values(after: 3, of: 0x52) }

    /// The error with which it refuses reads and writes.
    var refusal: ATTError {
        get { server.refusal }
        set { server.refusal = newValue }
    }

    private func values(after count: Int, of opcode: UInt8) -> [[UInt8]] {
        requests.filter { $0.first == opcode }.map { Array($0.dropFirst(count)) }
    }

    private(set) var linkCount = 0

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

    /// Whether it answers a read at any offset with the whole value, as the original apps do.
    var ignoresOffsets = false

    // MARK: Radio

    /// Makes the phone part of a world.
    func enter(_ room: World) {
        guard station == nil else { return }
        let station = PhoneStation(self, in: room)
        self.station = station
    }

    @discardableResult
    func connect(
        to board: Station, advertisedAs address: DeviceAddress, whileAdvertised: Bool = true
    ) -> Bool {
        guard let station else { return false }
        return station.connect(to: board, advertisedAs: address, whileAdvertised: whileAdvertised)
    }

    /// Ends its link.
    func hangUp(_ reason: Status = .remoteUserTerminated) { station?.hangUp(reason) }

    /// Whether it has a link, or two.
    var isConnected: Bool { station?.links.isEmpty == false }

    private func flush() { station?.sendWaiting() }

    func linkOpened(role: LinkRole) {
        gatt = GATTLink(role: role)
        reassembler = L2CAPReassembler()
        server.linkOpened()
        linkCount += 1
        if role == .central, readsUs { gatt.start(HeraldService.payloadSearch) }
    }

    func receive(_ fragment: LinkFragment) {
        let boundary: ACLBoundary = fragment.isFirst ? .firstFlushable : .continuation
        let data = withoutOffset(fragment.limited(toMTU: maximumMTU).bytes)
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
        flush()
    }

    /// Starts a read of the board's payload.
    func read() {
        payloadRead = nil
        gatt.start(HeraldService.payloadSearch)
        flush()
    }

    /// The findings of its last search on the board.
    var found: CharacteristicFindings { gatt.findings }

    /// Starts a search on the board, and a read of what it finds. The result is in ``payloadRead``.
    func look(for search: CharacteristicSearch) {
        payloadRead = nil
        gatt.start(search)
        flush()
    }

    /// Writes to the board's signal characteristic, or to another `handle`.
    func write(_ value: [UInt8], handle: UInt16 = 11) throws {
        try gatt.startWriting(value.span, handle: handle)
        flush()
    }

    /// The fragments that wait to be sent.
    func takeFragments() -> [LinkFragment] {
        var fragments: [LinkFragment] = []
        if let ownAnswer { fragments.append(LinkFragment(bytes: ownAnswer, isFirst: true)) }
        ownAnswer = nil
        return fragments + gatt.takeFragments(mtu: maximumMTU)
    }

    private func withoutOffset(_ bytes: [UInt8]) -> [UInt8] {
        guard ignoresOffsets, bytes.count == 9, bytes[4] == 0x0c else { return bytes }
        return bytes[..<7] + [0, 0]
    }

    /// The value that it serves for each of its schemes.
    var schemeValues: [[UInt8]?] {
        get { server.schemeValues }
        set { server.schemeValues = newValue }
    }
    static let firstSchemeValue = 10
    /// The services of a phone with schemes other than Herald.
    var schemeTable: AttributeTable<32>?
}
