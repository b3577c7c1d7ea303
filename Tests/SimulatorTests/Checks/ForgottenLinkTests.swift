import Testing

@testable import Simulator

/// Notifications for a link that the controller has forgotten. It reports no end of that link, and a new link
/// may have its number. So a phone that never subscribed gets the notifications of another.
@Suite struct ForgottenLinkTests {
    private let checked = CheckedBoard()

    /// Sends a notification on the link of a phone that did not subscribe, seconds after a fault began.
    private func violations(after fault: ControllerFault?, isReported: Bool = true) -> [String] {
        checked.board.powerOn()
        checked.run(.seconds(10))
        let controller = checked.controller
        if let fault { controller.faults.begin(fault) }
        checked.add("phone", .frequent)
        for _ in 0..<200 where controller.handles.isEmpty {
            if !isReported { controller.settings.lowEnergyEventMask = 0 }
            checked.run(.milliseconds(100))
        }
        guard let handle = controller.handles.first?.handle else { return ["the phone never comes"] }
        controller.receiveData([2, UInt8(handle), 0, 8, 0, 4, 0, 4, 0, 0x1b, 0x16, 0, 1])
        checked.run(.seconds(3))
        return checked.end().map(\.check)
    }

    @Test func `a controller that restarts without a word excuses the agent`() {
        #expect(violations(after: .restart) == [])
    }

    @Test func `a controller that could not report the link, without its event masks, excuses the agent`() {
        #expect(violations(after: nil, isReported: false) == [])
    }

    @Test(arguments: [nil, ControllerFault.scanEnds, .slowReset, .amnesia])
    func `a notification for another link is found if the controller reported the link`(
        fault: ControllerFault?
    ) {
        #expect(violations(after: fault) == ["PeersGetTheirOwn"])
    }
}
