import HCI
import TestSupport
import Testing

/// ACL data that comes before the event that opens its connection.
@Suite struct EarlyRequestTests {
    /// An incoming connection with handle 0x0010.
    private static let connectionComplete =
        "3e 13 01 00 10 00 01 01 6655443322d1 1800 0000 f401 00"
    private static let mtuRequest = "02 10 20 07 00 03 00 04 00 02 f7 00"

    @Test(arguments: [0, 2, 10, 30, 100] as [UInt64])
    func `a request ahead of its connection is answered once that is open`(milliseconds: UInt64) throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        scene.controller.inject([UInt8](hex: Self.mtuRequest))
        scene.run(milliseconds: milliseconds)
        scene.controller.inject([UInt8](hex: "04" + Self.connectionComplete))
        scene.run(milliseconds: 20)
        #expect(scene.world.dataSent.count == 1)
        #expect(scene.world.dataSent.first?.dropFirst(9).first == 0x03)
    }

    @Test func `a request of a second ago belongs to an earlier connection`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        scene.controller.inject([UInt8](hex: Self.mtuRequest))
        scene.run(milliseconds: 1_000)
        scene.controller.inject([UInt8](hex: "04" + Self.connectionComplete))
        scene.run(milliseconds: 20)
        #expect(scene.world.dataSent.isEmpty)
    }
}
