import HCI
import Peers
import Protocols
import Schemes

/// What is said in turn, and what has an advertising set of its own.
extension RadioController {
    /// Exposure Notification has no advertising set to itself.
    package var takesExposureTurns: Bool {
        broadcast != nil && (roles.commands == .legacy || furtherSets.isRefused(.exposureNotification))
    }

    /// Those who take turns in the first set. As the rest here it changes nothing, and is `mutating` for the board's optimiser:
    /// it would make a copy of the controller.
    mutating func turns() -> AdvertisingSlots {
        var turns = appearance.turns
        if hasSet(.sonar, of: turns) { turns.remove(.sonar) }
        if hasSet(.bleProximity, of: turns) { turns.remove(.bleProximity) }
        return turns
    }

    /// Whether a scheme has, or is to have, a set beside the first. Where it would be alone in the first it stays there; and
    /// nobody has one on a controller that cannot even scan and advertise at once.
    private mutating func hasSet(_ scheme: SchemeID, of turns: AdvertisingSlots) -> Bool {
        guard roles.commands == .extended, roles.sharing == .together else { return false }
        return turns.isBesideOthers(scheme) && !furtherSets.isRefused(scheme)
    }

    /// What the sets beside the first are to say. None says anything while a connection is being made; those that one may connect
    /// to follow the first: they are off while it is off, and so before our address changes.
    mutating func furtherContents() -> AdditionalAdvertisingSets.Contents {
        var contents = AdditionalAdvertisingSets.Contents(repeating: nil)
        guard settings.advertises, case .no = connecting else { return contents }
        if let broadcast {
            contents[0] = SetContent(
                turn: AdvertisingSlot(broadcast.identity), type: .nonConnectable, address: broadcast.address)
        }
        guard advertises, roles.isAdvertising, roles.address == appearance.address else { return contents }
        contents[1] = content(of: .sonar)
        contents[2] = content(of: .bleProximity)
        return contents
    }

    private mutating func content(of scheme: SchemeID) -> SetContent? {
        guard hasSet(scheme, of: appearance.turns) else { return nil }
        return SetContent(
            turn: AdvertisingSlot(scheme: scheme, isHerald: appearance.turns.isHerald),
            type: advertisingType(),
            address: appearance.address)
    }

    /// Connectable while one more link can be taken, at the limit as well (HP-C26).
    mutating func advertisingType() -> AdvertisingType {
        let takesLinks =
            links.count <= settings.linkLimit && !isPlaceKept
            && roles.isConnectable(besideLinks: links.count)
        return takesLinks ? .connectable : .nonConnectable
    }

    /// When adverts are to say something else.
    package mutating func nextTurnMilliseconds(after now: UInt64) -> UInt64 {
        guard settings.advertises, state == .running else { return .max }
        if takesExposureTurns { return ExposureTurns.nextChange(after: now) }
        guard turns().areSeveral else { return .max }
        return (now / AdvertisingSlot.milliseconds + 1) * AdvertisingSlot.milliseconds
    }
}
