import HCI
import TestSupport
import Testing

@testable import Simulator

/// A board whose controller has connected to the first phone but has reported a failed connection. The board
/// now attempts the second phone, which does not answer yet.
private struct LateConnection: ~Copyable {
    private static let failedConnection = [4, 0x3e, 19, 1, 0x3e] + [UInt8](repeating: 0, count: 17)

    let first: ScriptedPhone
    let second: ScriptedPhone
    var scene: Scene

    init() throws {
        let first = try ScriptedPhone(1, payload: [0x10, 1])
        let second = try ScriptedPhone(2, payload: [0x10, 2])
        (first.accepts, second.accepts) = (false, false)
        var scene = try Scene()
        scene.phones = [first]
        let (controller, wanted, next) = (scene.controller, first.address, second.address)
        scene.run { _ in controller.connectingTo == wanted }
        let mask = controller.settings.lowEnergyEventMask
        controller.settings.lowEnergyEventMask = 0
        first.accepts = true
        scene.run { _ in !controller.handles.isEmpty }
        controller.settings.lowEnergyEventMask = mask
        controller.inject(Self.failedConnection)
        first.isAway = true
        scene.phones = [first, second]
        scene.run { _ in controller.connectingTo == next }
        (self.first, self.second) = (first, second)
        self.scene = scene
    }

    /// Reports the link to the first phone, and lets the board use it.
    mutating func report() throws {
        let handle = try #require(scene.controller.handle(of: first))
        scene.controller.connectionComplete(
            .success, handle: handle, role: 0, peer: first.address, LinkParameters())
        scene.run(milliseconds: 500)
    }

    /// The identities in the log by the addresses of their encounters.
    func identities() -> [DeviceAddress: [[UInt8]]] {
        let entries = scene.world.medium.entries
        var addresses: [UInt32: DeviceAddress] = [:]
        for opened in entries.compactMap(\.opened) { addresses[opened.encounter] = opened.deviceAddress }
        return entries.compactMap(\.identified).reduce(into: [:]) { identities, entry in
            guard let address = addresses[entry.encounter] else { return }
            identities[address, default: []].append(entry.identityBytes)
        }
    }
}

/// A link that the controller reports during the attempt at another peer, because the attempt that made it
/// seemed to have failed. The link is to the reported address. Only the address's type may differ from that
/// of the attempt.
@Suite struct LateConnectionTests {
    @Test func `an identity that is read over the link is that of the reported peer`() throws {
        var late = try LateConnection()
        try late.report()
        late.second.accepts = true
        late.scene.run(milliseconds: 20_000)
        late.scene.stop()
        #expect(late.identities() == [late.first.address: [[0x10, 1]], late.second.address: [[0x10, 2]]])
    }

    @Test func `the link does not end the attempt at another peer`() throws {
        var late = try LateConnection()
        try late.report()
        #expect(!late.first.requests.isEmpty)
        #expect(late.scene.controller.connectingTo == late.second.address)
        #expect(!late.scene.controller.isScanning, "the board does not scan during an attempt")
        late.second.accepts = true
        late.scene.run(milliseconds: 500)
        #expect(late.second.linkCount == 1)
        #expect(late.scene.controller.commands.filter { $0 == .leCreateConnection }.count == 2)
    }

    @Test func `a message for the other peer does not go over the link`() throws {
        let hello = Array("hello".utf8)
        var late = try LateConnection()
        #expect(try late.scene.send(hello, to: late.second.asRecipient).queuedCount == 1)
        try late.report()
        late.second.accepts = true
        late.scene.run(milliseconds: 20_000)
        #expect(late.first.messages == [])
        #expect(late.second.messages == [.immediate(hello)])
    }

    @Test func `a link whose address is reported with another type is to the attempted peer`() throws {
        let phone = try ScriptedPhone(1, payload: [0x10, 1])
        var scene = try Scene()
        scene.phones = [phone]
        let controller = scene.controller
        controller.settings.lowEnergyEventMask = 0
        scene.run { _ in !controller.handles.isEmpty }
        let handle = try #require(controller.handle(of: phone))
        controller.settings.lowEnergyEventMask = .max
        let reported = DeviceAddress(value: phone.address.value, isRandom: !phone.address.isRandom)
        controller.connectionComplete(.success, handle: handle, role: 0, peer: reported, LinkParameters())
        scene.run(milliseconds: 20_000)
        scene.stop()
        let opened = scene.world.medium.entries.compactMap(\.opened)
        #expect(Set(opened.compactMap(\.deviceAddress)) == [phone.address])
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 1]])
    }
}
