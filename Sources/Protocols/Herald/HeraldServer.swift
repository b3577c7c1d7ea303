import FixedMemory
import GATT
import HCI
import Peers

/// The services that we offer to phones: both Herald services. Each has the readable payload (HP-C07, C36)
/// and the writable compliant signal (HP-C09 to C11, C38). iPhones recognise a Herald device only if it has
/// both.
public struct HeraldServer: AttributeDelegate, ~Copyable {
    /// Six attributes of the generic services, and five of each Herald service.
    public typealias Table = IdentityServer.Table

    /// A message that a peer wrote to the signal characteristic.
    public struct Message: BitwiseCopyable, Sendable {
        public let link: Int
        public let code: HeraldSignalCode
    }

    static let payloadValue = ValueIdentifier(rawValue: 1)
    static let signalValue = ValueIdentifier(rawValue: 2)

    /// The payload that a new incoming link will serve; empty: none.
    public var payload: FixedBuffer<512>
    /// The payload of each link, fixed from its beginning to its end (X7). So a peer that reads in pieces
    /// never gets pieces of two payloads. A link that outlives an identity does not reveal the next one.
    private var payloads: FixedArray<FixedBuffer<512>>
    private var assemblers: FixedArray<HeraldSignalAssembler>
    private var received: Message?
    /// The time of the next request. Pieces form one message only if they are close in time.
    public var now = Instant.start
    /// The number of malformed messages.
    public private(set) var malformedCount: UInt32 = 0
    /// The number of empty writes, with which phones wake each other.
    public private(set) var wakeCount: UInt32 = 0
    /// The number of messages refused because there were too many.
    public private(set) var refusedCount: UInt32 = 0
    /// The budget of all links together; each link's sender has its own.
    private var budget = MessageBudget()
    private var senders: FixedArray<MessageSender>
    /// The part of the common budget that is reserved for senders without recent messages.
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

    /// The attribute table. It is complete before any peer can connect (X5). `deviceName`: UTF-8, at most 100
    /// bytes.
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

    /// Starts a link with the current payload, and drops any half message of the slot's previous link.
    public mutating func linkOpened(_ link: Int) { linkOpened(link, payload: payload) }

    /// `payload`: the payload that the link serves. `peer`: the on-air address at its other end.
    public mutating func linkOpened(_ link: Int, payload: FixedBuffer<512>, peer: DeviceAddress? = nil) {
        assemblers[link] = HeraldSignalAssembler()
        payloads[link] = payload
        // A peer that reconnects keeps the rest of its budget.
        var sender = MessageSender()
        sender.peer = peer
        for other in senders.indices where peer != nil && senders[other].peer == peer {
            sender = senders[other]
            // The budget moves to the new link; a copy left behind would later be found as the peer's, and
            // out of date.
            senders[other] = MessageSender()
        }
        senders[link] = sender
    }

    /// Whether the budgets allow one more message of a link for the log. If so, the message is charged.
    private mutating func isWanted(_ code: HeraldSignalCode, _ link: Int) -> Bool {
        switch code {
        case .payload, .rssi: return true
        case .payloadSharing, .immediateSend: break
        }
        let now = now
        let spared = senders[link].budget.isWhole(now: now) ? 0 : Self.reservedCount
        guard senders[link].budget.allows(now: now),
            budget.allows(sparing: spared, now: now)
        else { return false }
        return senders[link].budget.take(now: now) && budget.take(now: now)
    }

    /// Returns the message that the last write completed, once.
    public mutating func takeMessage() -> Message? {
        defer { received = nil }
        return received
    }

    /// The content of the last complete message on `link`.
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
        switch assemblers[link].write(value, now: now) {
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
