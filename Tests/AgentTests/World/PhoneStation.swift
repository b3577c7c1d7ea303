import GATT
import HCI
import Simulator

@testable import Simulator

/// The radio of a ``ScriptedPhone``, one metre from the board.
final class PhoneStation: Station {
    private let phone: ScriptedPhone

    init(_ phone: ScriptedPhone, in room: World) {
        self.phone = phone
        super.init("phone \(phone.address.value)", at: Route(standingAt: Position(1, 0)), in: room)
        advertiseAgain()
    }

    /// Advertises as the phone says.
    func advertiseAgain() {
        powerDBm = Double(phone.rssiDBm) + Propagation().lossAtOneMetreDB
        guard phone.isOnAir, !phone.isAway else { return stopAdvertising() }
        advertise(
            Advertisement(
                address: phone.address, kind: phone.isConnectable ? .connectable : .nonConnectable,
                data: phone.advert), every: .milliseconds(phone.every))
    }

    func connect(to board: Station, advertisedAs address: DeviceAddress, whileAdvertised: Bool) -> Bool {
        var parameters = LinkParameters()
        parameters.supervision = .milliseconds(phone.supervisionTens * 10)
        let count = links.count
        world.air.connect(
            self, to: board, advertisedAs: address, parameters: parameters, whileAdvertised: whileAdvertised)
        return links.count > count
    }

    func hangUp(_ reason: Status) {
        for link in links { link.disconnect(by: self, reason: reason.rawValue) }
    }

    func sendWaiting() {
        guard let link = links.first else { return }
        for fragment in phone.takeFragments() { link.send(fragment, from: self) }
    }

    override var linkAddress: DeviceAddress { phone.address }
    override var answersConnectionRequests: Bool { phone.accepts }

    override func linkOpened(_ link: AirLink, isCentral: Bool) {
        phone.linkOpened(role: isCentral ? .central : .peripheral)
        sendWaiting()
    }

    override func received(_ fragment: LinkFragment, on link: AirLink) {
        phone.receive(fragment)
        sendWaiting()
    }
}
