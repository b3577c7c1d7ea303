import HCI
import Testing

@testable import Simulator

/// An advert that loses its pseudo device address on its way makes a second peer at the phone's address. The
/// agent reads the phone's identity there, too, and knows it by the address from then on.
@Suite struct StrippedAdvertTests {
    private let checked = CheckedBoard(options: {
        $0.transport = .packets
        $0.driftPPM = 0
        $0.logSoon(sampleSeconds: 1)
    })

    /// Lets a phone come and move on to another address, where the board cannot read it.
    private func violations(isStripped: Bool) -> [String] {
        checked.beginBesidePhone()
        var kind = PhoneKind.android
        kind.pseudoAddress = .current
        kind.readsBoardsEvery = nil
        let phone = checked.add("phone", kind)
        checked.run(.seconds(20))
        let reads = phone.servedCount
        #expect(reads > 0)
        if isStripped {
            for _ in 0..<4 {
                checked.controller.report(
                    Advertisement(address: phone.address, data: FieldAdverts.android), rssiDBm: -60)
                checked.run(.seconds(5))
            }
            #expect(phone.servedCount > reads)
        }
        phone.leaveForGood()
        let moved = Station("moved", at: Route(standingAt: Position(1, 0)), in: checked.world)
        let name = FieldAdverts.pseudoAddress(phone.pseudoAddresses.last ?? [], isLegacy: false)
        moved.advertise(
            Advertisement(address: .staticRandom(seed: 2), kind: .nonConnectable, data: name),
            every: .milliseconds(250))
        checked.run(.seconds(60))
        moved.leaveForGood()
        checked.run(.seconds(60))
        return checked.end().filter { $0.check == "EncountersAreTrue" }.map(\.description)
    }

    @Test(arguments: [false, true])
    func `a phone that moves on may have another encounter after a stripped advert`(
        isStripped: Bool
    ) {
        #expect(violations(isStripped: isStripped) == [])
    }
}
