import GATT
import TestSupport
import Testing

/// A peer with several instances of one service, of which not all have a value that can be read. Each
/// instance has two handles for the service and its characteristic, and one for the value.
@Suite struct ServiceInstanceTests {
    private static let service = BluetoothUUID(0xfcf6)
    private static let other = BluetoothUUID(0xfcf7)
    private static let characteristic = BluetoothUUID(0x2a00)

    private struct Peer {
        /// By instance, in the order of the handles: the service, and the answer to a read of the value.
        var instances: [(service: BluetoothUUID, answer: String)]
        /// Whether one answer names all instances of a service.
        var namesAll = false
        private(set) var reads: [UInt16] = []

        init(_ answers: [String], of service: BluetoothUUID = ServiceInstanceTests.service) {
            instances = answers.map { (service, $0) }
        }

        private func range(_ index: Int) -> [UInt8] {
            let first = UInt8(3 * index + 1)
            return [first, 0, first + 2, 0]
        }

        mutating func answer(_ request: [UInt8]) -> [UInt8] {
            let first = Int(request[1])
            switch request[0] {
            case 0x06:
                let uuid = UInt16(request[7]) | UInt16(request[8]) << 8
                let found = instances.indices.filter {
                    instances[$0].service == BluetoothUUID(uuid) && 3 * $0 + 1 >= first
                }
                guard !found.isEmpty else { return [1, 6, request[1], 0, 0x0a] }
                return [7] + (namesAll ? found : [found[0]]).flatMap(range)
            case 0x08:
                guard first % 3 == 1 else { return [1, 8, request[1], 0, 0x0a] }
                return [9, 7, request[1] + 1, 0, 2, request[1] + 2, 0, 0, 0x2a]
            case 0x0a:
                reads.append(UInt16(first))
                return [UInt8](hex: instances[(first - 1) / 3].answer)
            default: return [1, request[0], 0, 0, 6]
            }
        }

        mutating func run(_ client: inout AttributeClient) -> AttributeClientEvent? {
            var mtu = NegotiatedMTU()
            for _ in 0..<200 {
                var request = ATTBuffer()
                guard client.nextRequest(mtu: mtu, into: &request) else { return nil }
                if let event = client.receive(answer(request.span.array).span, mtu: &mtu) { return event }
            }
            Issue.record("the client does not end")
            return nil
        }
    }

    private static let refused = "01 0a 0000 0e"

    private func search(_ services: UUIDList = UUIDList(service)) -> CharacteristicSearch {
        CharacteristicSearch(services: services, characteristic: Self.characteristic, exchangesMTU: false)
    }

    @Test(arguments: [false, true])
    func `the instance that answers is found, whichever it is`(_ namesAll: Bool) {
        for place in 0..<5 {
            var peer = Peer((0..<5).map { $0 == place ? "0b 2a" : Self.refused })
            peer.namesAll = namesAll
            var client = AttributeClient()
            client.start(search())
            #expect(peer.run(&client) == .finished)
            #expect(client.value.span.array == [0x2a])
            #expect(peer.reads == (0...place).map { UInt16(3 * $0 + 3) })
        }
    }

    @Test func `after the last instance of a service its alternative is tried`() {
        var peer = Peer([Self.refused, Self.refused])
        peer.instances.append((Self.other, "0b 2b"))
        var client = AttributeClient()
        client.start(search(UUIDList(Self.service, Self.other)))
        #expect(peer.run(&client) == .finished)
        #expect(client.value.span.array == [0x2b] && client.findings.service == Self.other)
    }

    @Test func `without a usable instance the search ends as the last one was refused`() {
        var peer = Peer([Self.refused, "01 0a 0000 05"])
        var client = AttributeClient()
        client.start(search())
        #expect(peer.run(&client) == .failed(.refused(.insufficientAuthentication)))
    }

    @Test func `a peer with countless instances is asked for eight of them`() {
        var peer = Peer([String](repeating: Self.refused, count: 60))
        var client = AttributeClient()
        client.start(search(UUIDList(Self.service, Self.other)))
        #expect(peer.run(&client) == .failed(.refused(.unlikelyError)))
        #expect(peer.reads.count == 8)
    }

    @Test func `an instance before the searched range is a violation`() {
        var client = AttributeClient()
        var mtu = NegotiatedMTU()
        client.start(search())
        var end: AttributeClientEvent?
        for answer in ["07 0400 0600", "01 08 0400 0a", "07 0100 0300"] {
            var request = ATTBuffer()
            #expect(client.nextRequest(mtu: mtu, into: &request))
            end = client.receive([UInt8](hex: answer).span, mtu: &mtu)
        }
        #expect(end == .failed(.protocolViolation))
    }

    @Test func `a value that was read apart from the search can be looked for in the next instance`() {
        var peer = Peer([Self.refused, "0b 2c"])
        var client = AttributeClient()
        var search = search()
        search.readsValue = false
        client.start(search)
        var values: [AttributeClientEvent?] = []
        repeat {
            #expect(peer.run(&client) == .finished)
            client.startReading(handle: client.findings.characteristic?.valueHandle ?? 0)
            values.append(peer.run(&client))
        } while values.last != .finished
            && client.startNextInstance(of: Self.characteristic, after: .refused(.unlikelyError))
        #expect(values == [.failed(.refused(.unlikelyError)), .finished])
        #expect(client.value.span.array == [0x2c])
    }

    @Test func `a search for something else has no next instance`() {
        var peer = Peer([Self.refused, "0b 2c"])
        var client = AttributeClient()
        client.start(search())
        #expect(peer.run(&client) == .finished)
        let continues = client.startNextInstance(of: BluetoothUUID(0x2a01), after: .valueTooLong)
        #expect(!continues && !client.isBusy)
    }
}
