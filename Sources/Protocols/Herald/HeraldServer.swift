import FixedMemory
import GATT
import HCI

/// What we offer to phones that connect: both Herald services, each with the readable payload (HP-C07, C36) and the
/// writable compliant signal (HP-C09 to C11, C38). iPhones want both to take us for Herald.
public struct HeraldServer: AttributeDelegate, ~Copyable {
    /// Generic services 6 attributes, Herald's 5 each.
    public typealias Table = IdentityServer.Table

    /// What a peer has sent to us with its signal characteristic.
    public struct Message: BitwiseCopyable, Sendable {
        public let link: Int
        public let code: HeraldSignalCode
    }

    static let payloadValue = ValueIdentifier(rawValue: 1)
    static let signalValue = ValueIdentifier(rawValue: 2)

    /// What a link that is made to us now will be served; empty: nothing.
    public var payload: FixedBuffer<512>
    /// What each link is served, from its beginning to its end (X7): who reads a payload in pieces never gets pieces of
    /// two, and a link that outlives an identity does not give away the next one.
    private var payloads: FixedArray<FixedBuffer<512>>
    private var assemblers: FixedArray<HeraldSignalAssembler>
    private var received: Message?
    /// When whatever is served next came: pieces of a message belong together only if they are near in time.
    public var nowMilliseconds: UInt64 = 0
    /// Messages that made no sense.
    public private(set) var malformedCount: UInt32 = 0
    /// Empty writes, with which phones wake each other.
    public private(set) var wakeCount: UInt32 = 0
    /// Messages that were refused because there were too many.
    public private(set) var refusedCount: UInt32 = 0
    /// Of all together; and of each link's peer.
    private var budget = MessageBudget()
    private var senders: FixedArray<MessageSender>
    /// Of all together, so much is for those who have sent nothing lately.
    private static let reservedCount: UInt64 = 15

    public init(payload: FixedBuffer<512>, linkLimit: Int) throws(MemoryError) {
        let payloads = try FixedArray(count: linkLimit, repeating: payload)
        let assemblers = try FixedArray(count: linkLimit, repeating: HeraldSignalAssembler())
        let senders = try FixedArray(count: linkLimit, repeating: MessageSender())
        self.senders = senders
        self.payload = payload
        self.payloads = payloads
        self.assemblers = assemblers
    }

    /// The attribute table. It is complete before anybody can connect (X5). `deviceName`: UTF-8, at most 100 bytes.
    public static func makeTable(deviceName: Span<UInt8>) -> Table {
        var table = Table()
        do throws(CapacityError) {
            try table.addGenericServices(deviceName: deviceName, appearance: 0)
            try addHerald(HeraldService.current, to: &table)
            try addHerald(HeraldService.legacy, to: &table)
        } catch {
            preconditionFailure("the table is made for just these services")
        }
        return table
    }

    private static func addHerald(_ service: BluetoothUUID, to table: inout Table) throws(CapacityError) {
        try table.addService(service)
        try table.addCharacteristic(HeraldService.payload, .read, value: payloadValue)
        try table.addCharacteristic(HeraldService.compliantSignal, .write, value: signalValue)
    }

    /// A link begins: half a message of the one before it counts for nothing.
    public mutating func linkOpened(_ link: Int) { linkOpened(link, payload: payload) }

    /// `payload`: what the link is served. `peer`: who is at its other end, as far as its address tells.
    public mutating func linkOpened(_ link: Int, payload: FixedBuffer<512>, peer: DeviceAddress? = nil) {
        assemblers[link] = HeraldSignalAssembler()
        payloads[link] = payload
        // Who comes again has what he had left.
        var sender = MessageSender()
        sender.peer = peer
        for other in senders.indices where peer != nil && senders[other].peer == peer {
            sender = senders[other]
            // It goes with him: what is left behind would be taken for his again when it is out of date.
            senders[other] = MessageSender()
        }
        senders[link] = sender
    }

    /// Whether there is a place in the log for one more message of a link. If so, it is taken.
    private mutating func isWanted(_ code: HeraldSignalCode, _ link: Int) -> Bool {
        switch code {
        case .payload, .rssi: return true
        case .payloadSharing, .immediateSend: break
        }
        let now = nowMilliseconds
        let spared = senders[link].budget.isWhole(nowMilliseconds: now) ? 0 : Self.reservedCount
        guard senders[link].budget.allows(nowMilliseconds: now),
            budget.allows(sparing: spared, nowMilliseconds: now)
        else { return false }
        return senders[link].budget.take(nowMilliseconds: now) && budget.take(nowMilliseconds: now)
    }

    /// The message completed by the last write, once.
    public mutating func takeMessage() -> Message? {
        defer { received = nil }
        return received
    }

    /// What the last complete message on `link` carried.
    public func messagePayload(link: Int) -> FixedBuffer<512> { assemblers[link].payload }
    public func messageRSSIDBm(link: Int) -> Int16 { assemblers[link].rssiDBm }

    public mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)
    {
        guard identifier == Self.payloadValue else { throw .readNotPermitted }
        guard !payloads[link].isEmpty else { throw .unlikelyError }
        value = payloads[link]
    }

    public mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
    {
        guard identifier == Self.signalValue else { throw .writeNotPermitted }
        switch assemblers[link].write(value, nowMilliseconds: nowMilliseconds) {
        case .wake: wakeCount &+= 1
        case .incomplete: break
        case .complete(let code):
            guard isWanted(code, link) else {
                refusedCount &+= 1
                throw .insufficientResources
            }
            received = Message(link: link, code: code)
        case .malformed:
            malformedCount &+= 1
            throw .invalidAttributeValueLength
        }
    }
}
