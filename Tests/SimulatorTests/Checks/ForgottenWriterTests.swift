import Testing

@testable import Simulator

/// A message over a link that the controller could not report. It has the number of a link that the
/// controller has forgotten, so the board takes it for a message of that link's phone.
@Suite struct ForgottenWriterTests {
    private let checked = CheckedBoard(worldSeed: 2, options: { $0.logSoon() })

    /// Lets the controller forget the link of one phone, and another phone write messages on a link with the
    /// same number.
    /// - Parameter isKnown: whether the checks may take the second link for a reported one.
    private func violations(isKnown: Bool) -> Set<String> {
        let controller = checked.controller
        checked.board.powerOn()
        checked.run(.seconds(10))
        let first = checked.add("first phone", .frequent)
        for _ in 0..<1_000 where controller.handles.isEmpty { checked.run(.milliseconds(20)) }
        guard let handle = controller.handles.first?.handle else { return ["the phone never comes"] }
        controller.handles = []
        for link in controller.links { link.forget(by: controller) }
        first.leaveForGood()
        let second = checked.add("second phone", .preparing)
        for _ in 0..<5_000 where second.sentMessages.allSatisfy({ $0.acknowledged == nil }) {
            if controller.handles.isEmpty { controller.nextHandle = handle }
            controller.settings.lowEnergyEventMask = 0
            if isKnown { for link in second.links { link.isUnreported = false } }
            checked.run(.milliseconds(10))
        }
        #expect(second.sentMessages.contains { $0.acknowledged != nil })
        checked.run(.seconds(20))
        return Set(checked.end().map(\.check).filter { $0 == "MessagesArriveWhole" })
    }

    @Test func `a message over a link that the controller could not report excuses the agent`() {
        #expect(violations(isKnown: false) == [])
    }

    @Test func `a message that is recorded as of another is found if the controller reported the link`() {
        #expect(violations(isKnown: true) == ["MessagesArriveWhole"])
    }
}
