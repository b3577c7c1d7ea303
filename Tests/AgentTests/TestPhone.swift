import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import TestSupport

/// A phone with Herald on it: our own GATT, at the other end of a link.
final class TestPhone {
    let address: DeviceAddress
    var advert: [UInt8]
    var rssiDBm: Int8 = -60
    var isConnectable = true
    /// Whether connections to it come about.
    var accepts = true
    var isAway = false
    /// Takes packets in and says nothing.
    var isMute = false
    /// Whether the app is on it.
    var hasHerald = true
    /// Reads our payload when it has connected to us.
    var readsUs = true
    private(set) var payloadRead: [UInt8]?
    private(set) var linkCount = 0
    private(set) var isConnected = false

    private let table: HeraldServer.Table
    private var server: HeraldServer
    private var gatt = GATTLink(role: .peripheral)

    static let heraldAdvert = [UInt8](hex: "02011a0303f6fc020a0c")

    init(_ number: UInt64, payload: [UInt8] = [0x10, 1, 2, 3], advert: [UInt8] = heraldAdvert) throws {
        address = .staticRandom(seed: 0x5000 + number)
        self.advert = advert
        var buffer = FixedBuffer<512>()
        try buffer.append(payload.span)
        server = try HeraldServer(payload: buffer, linkLimit: 1)
        let name = Array("Phone".utf8)
        table = HeraldServer.makeTable(deviceName: name.span)
    }

    /// Milliseconds from one advert to the next.
    var every: UInt64 = 250

    func isHeard(at now: UInt64) -> Bool { !isAway && now.isMultiple(of: every) }

    func linkOpened(role: LinkRole) {
        gatt = GATTLink(role: role)
        server.linkOpened(0)
        linkCount += 1
        isConnected = true
        if role == .central, readsUs { gatt.start(HeraldService.payloadSearch) }
    }

    func linkClosed() { isConnected = false }

    func receive(_ packet: [UInt8]) {
        guard let boundary = ACLBoundary(rawValue: packet[2] >> 4 & 3) else { return }
        let data = Array(packet[5...])
        guard !isMute else { return }
        guard hasHerald else {
            let nothing = AttributeTable<1>()
            _ = gatt.receive(data.span, boundary: boundary, link: 0, table: nothing, delegate: &server)
            return
        }
        let outcome = gatt.receive(
            data.span, boundary: boundary, link: 0, table: table, delegate: &server)
        if outcome.clientEvent == .finished { payloadRead = gatt.value.array }
    }

    /// Reads our payload now.
    func read() {
        payloadRead = nil
        gatt.start(HeraldService.payloadSearch)
    }

    /// Writes to our signal characteristic, whose handle it knows.
    func write(_ value: [UInt8]) throws { try gatt.startWriting(value.span, handle: 11) }

    func takePackets(handle: UInt16) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var data = FixedBuffer<27>()
        while let boundary = gatt.nextFragment(maximumByteCount: 27, into: &data) {
            // Controllers send beginnings as "flushable".
            let flag: UInt16 = boundary == .continuation ? 1 : 2
            let word = handle | flag << 12
            packets.append(
                [2, UInt8(word & 255), UInt8(word >> 8), UInt8(data.count), 0] + data.span.array)
            data.removeAll()
        }
        return packets
    }
}
