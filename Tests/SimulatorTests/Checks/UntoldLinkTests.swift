import Testing

@testable import Simulator

/// A link that has ended without an event of the controller, so that the agent believes in it. Linked peers
/// send no adverts, so the agent takes a silence of few peers for the link, and relies on the controller's
/// proof of the scan.
@Suite struct UntoldLinkTests {
    private let checked = CheckedBoard()
    private var controller: SimulatedController { checked.controller }

    /// Lets two phones stay for 50 seconds, and then ends a link with one of them.
    private func endLink() throws {
        checked.board.powerOn()
        let phone = checked.add("phone", .frequent)
        checked.add("other", .otherIPhone)
        checked.run(.seconds(50))
        for _ in 0..<3_000 where controller.handles.isEmpty { checked.run(.milliseconds(100)) }
        let link = try #require(controller.handles.first).link
        link.disconnect(by: phone, reason: 0x13)
        for _ in 0..<100 where !controller.handles.isEmpty { checked.run(.milliseconds(10)) }
        #expect(controller.handles.isEmpty)
        phone.setPresent(false)
    }

    @Test func `the agent may rely on a mute scan's proof while it must believe in a link`() throws {
        controller.faults.begin(.untoldEndings)
        try endLink()
        #expect(controller.seemsLinked)
        controller.faults.begin(.muteScan)
        checked.run(.seconds(40))
        checked.board.stop()
        checked.run(.seconds(2))
        #expect(checked.end().map(\.check) == [])
    }

    @Test func `a refused disconnection ends what the agent must believe`() throws {
        controller.faults.begin(.untoldEndings)
        try endLink()
        controller.faults.end(.untoldEndings)
        controller.faults.begin(.muteScan)
        checked.run(.minutes(2))
        #expect(controller.untoldHandles.isEmpty)
        checked.world.end()
    }

    @Test(arguments: [ControllerFault.restart, .amnesia])
    func `a link that a controller has forgotten is one that the agent must believe in`(
        _ mishap: ControllerFault
    ) throws {
        checked.board.powerOn()
        checked.add("phone", .frequent)
        checked.run(.seconds(50))
        for _ in 0..<3_000 where controller.handles.isEmpty { checked.run(.milliseconds(100)) }
        #expect(!controller.handles.isEmpty)
        controller.faults.begin(mishap)
        for _ in 0..<100 where !controller.handles.isEmpty { checked.run(.milliseconds(10)) }
        #expect(controller.handles.isEmpty)
        #expect(controller.seemsLinked)
        controller.faults.end(mishap)
        // The agent learns of it by a refused disconnection, or by its next reset.
        for _ in 0..<3_000 where !controller.untoldHandles.isEmpty { checked.run(.milliseconds(100)) }
        #expect(!controller.seemsLinked || !controller.handles.isEmpty)
        checked.world.end()
    }

    @Test func `an end that the controller has reported leaves nothing to believe`() throws {
        try endLink()
        #expect(!controller.seemsLinked)
        checked.world.end()
    }
}
