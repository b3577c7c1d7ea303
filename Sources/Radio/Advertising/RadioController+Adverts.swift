import FixedMemory
import HCI
import Peers
import Protocols
import Schemes

/// The plan for the controller: whether it scans and advertises now, and with which content.
extension RadioController {
    /// The plan for this moment. The function changes nothing; it is `mutating` because the board's optimiser
    /// otherwise copies the controller.
    @inline(__always)
    mutating func plan(now: Instant) -> AirSchedule.Plan {
        guard connector.isIdle else {
            // Both roles are off. The board connects only under the address by which it answers.
            var address = schedule.address
            if case .wanted = connector.state { address = context.own.current.address }
            return AirSchedule.Plan(
                scans: false, timing: duty.timing, advertises: false, advertisingType: .connectable,
                slot: .herald, address: address)
        }
        let isTimeMultiplexed = schedule.sharing == .timeMultiplexed
        if takesExposureSlots, let broadcast = context.own.broadcast,
            ExposureSlots.isSlot(at: now, isTimeMultiplexed: isTimeMultiplexed)
        {
            let plan = AirSchedule.Plan(
                scans: settings.scans, timing: duty.timing,
                advertises: settings.advertises && !schedule.advertiser.cannotAdvertise,
                advertisingType: .nonConnectable, slot: AdvertisingSlot(broadcast.identity),
                address: broadcast.address)
            return schedule.due(plan, now: now)
        }
        let slot = slots().slot(
            at: now,
            lasting: takesExposureSlots
                ? ExposureSlots.otherLength(isTimeMultiplexed: isTimeMultiplexed)
                : AdvertisingSlot.length)
        let plan = AirSchedule.Plan(
            scans: settings.scans, timing: duty.timing, advertises: context.advertises,
            advertisingType: advertisingType(), slot: slot, address: context.own.appearance.address)
        return schedule.due(plan, now: now)
    }

    /// Exposure Notification has no advertising set to itself. It has no slots either on a board that sends
    /// under its public address, because its own addresses are random.
    var takesExposureSlots: Bool {
        mutating get {
            context.own.broadcast != nil && address.isRandom
                && (schedule.commands == .legacy || additionalSets.isRefused(.exposureNotification))
        }
    }

    /// The schemes that are time-multiplexed in the first advertising set. Like the other functions here it
    /// changes nothing, and is `mutating` for the board's optimiser.
    mutating func slots() -> AdvertisingSlots {
        var slots = context.own.appearance.slots
        if hasSet(.sonar, of: slots) { slots.remove(.sonar) }
        if hasSet(.bleProximity, of: slots) { slots.remove(.bleProximity) }
        return slots
    }

    /// Whether a scheme has or gets an advertising set of its own. A scheme that would be alone in the first
    /// set stays there; and no scheme has one on a controller that cannot scan and advertise at the same
    /// time.
    private mutating func hasSet(_ scheme: SchemeID, of slots: AdvertisingSlots) -> Bool {
        guard schedule.commands == .extended, schedule.sharing == .together else { return false }
        return slots.isBesideOthers(scheme) && !additionalSets.isRefused(scheme)
    }

    /// The contents of the additional advertising sets. All are off while a connection is being made. The
    /// connectable ones follow the first set: they are off while it is off, and so before the board's
    /// address changes.
    mutating func additionalContents() -> AdditionalAdvertisingSets.Contents {
        var contents = AdditionalAdvertisingSets.Contents(repeating: nil)
        guard settings.advertises, connector.isIdle else { return contents }
        if let broadcast = context.own.broadcast {
            contents[0] = SetContent(
                slot: AdvertisingSlot(broadcast.identity), type: .nonConnectable, address: broadcast.address)
        }
        guard context.advertises, schedule.advertiser.isAdvertising,
            schedule.address == context.own.appearance.address
        else {
            return contents
        }
        contents[1] = content(of: .sonar)
        contents[2] = content(of: .bleProximity)
        return contents
    }

    private mutating func content(of scheme: SchemeID) -> SetContent? {
        let appearance = context.own.appearance
        guard hasSet(scheme, of: appearance.slots) else { return nil }
        return SetContent(
            slot: AdvertisingSlot(scheme: scheme, isHerald: appearance.slots.isHerald),
            type: advertisingType(), address: appearance.address)
    }

    /// Connectable while one more link can be taken, also at the limit (HP-C26).
    private mutating func advertisingType() -> AdvertisingType {
        let takesLinks =
            links.count <= settings.linkLimit && !connector.isSlotReserved
            && schedule.advertiser.isConnectable(besideLinks: links.count)
        return takesLinks ? .connectable : .nonConnectable
    }

    /// When the next command is due if only advertising reports come until then; `now` if that depends on
    /// something else. Before that time, ``advance(recorder:hasTakenAll:now:)`` and
    /// ``takePacket(now:into:)`` have nothing to do.
    mutating func nextCommandDue(after now: Instant) -> Instant {
        let isAtRest =
            state == .running && host.canSendCommand && links.count == 0 && connector.isIdle
            && context.own.next == nil && context.messages.isEmpty && excess.isEmpty
        guard isAtRest, let schedule = schedule.nextCommandDue(after: now) else { return now }
        let probe = statistics.lastPacket + Self.probeInterval
        let choice = settings.scans ? connector.nextChoice : .distantFuture
        return min(min(probe, choice), min(schedule, nextAdvertChange(after: now)))
    }

    /// When the adverts change next; `.distantFuture` if never.
    mutating func nextAdvertChange(after now: Instant) -> Instant {
        guard settings.advertises, state == .running else { return .distantFuture }
        if takesExposureSlots { return ExposureSlots.nextChange(after: now) }
        guard slots().areSeveral else { return .distantFuture }
        return now - now % AdvertisingSlot.length + AdvertisingSlot.length
    }
}
