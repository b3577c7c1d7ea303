import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio
import Schemes

/// Our identities, part of a step.
extension Agent {
    private static var duplicateIdentityNoticeIntervalMilliseconds: UInt64 { 3_600_000 }

    mutating func keepIdentity(nowMilliseconds now: UInt64) {
        var change: OwnIdentity?
        if identity?.isDue(nowMilliseconds: now) == true {
            let before = identity?.standing
            change = identity?.advance(
                system: clock.wallClock, toldOffset: store.toldOffsetMilliseconds,
                isSealed: store.keeper.log.isSealed, board: &board, random: &random, nowMilliseconds: now)
            if let standing = identity?.standing, standing != before {
                board.report(.identityStandingChanged(standing))
            }
        }
        keepSchemes(&change, nowMilliseconds: now)
        guard let change else { return }
        controller.rotateIdentity(change, recorder: &recorder, nowMilliseconds: now)
        // Of a wearable the log is told when the controller has the address.
        if isBeacon, loggedAddress != nil { logIdentity(nowMilliseconds: now) }
    }

    /// All that is to change changes at once: other schemes are looked at when Herald's identity changes, and not while one
    /// is being made. On a wearable the address changes with each of them.
    private mutating func keepSchemes(_ change: inout OwnIdentity?, nowMilliseconds now: UInt64) {
        let hasChange = change != nil
        guard hasChange || schemes.isDue(nowMilliseconds: now),
            hasChange || identity?.isDue(nowMilliseconds: now) != true
        else { return }
        let hasOther = schemes.advance(
            system: clock.wallClock, toldOffset: store.toldOffsetMilliseconds,
            isSealed: store.keeper.log.isSealed, board: &board, random: &random, nowMilliseconds: now)
        controller.setBroadcast(schemes.broadcast)
        logExposureKey(nowMilliseconds: now)
        guard hasChange || hasOther else { return }
        let who = change ?? controller.nextIdentity ?? controller.identity
        change = OwnIdentity(
            address: hasChange || isBeacon ? who.address : .privateRandom(seed: random.next()),
            payload: who.payload, schemes: schemes.own)
    }

    /// We are somebody else now, or nobody.
    mutating func logIdentity(nowMilliseconds now: UInt64) {
        logSchemes(nowMilliseconds: now)
        let own = controller.identity
        let address = own.isAnonymous ? nil : own.address
        guard address != loggedAddress else { return }
        loggedAddress = address
        log(own.payload.span, of: .herald, nowMilliseconds: now)
    }

    /// Of each scheme in which we are somebody else than the log says.
    private mutating func logSchemes(nowMilliseconds now: UInt64) {
        let (own, logged) = (controller.identity.schemes, loggedSchemes)
        loggedSchemes = own
        for index in 0..<SchemeID.linkCount {
            guard let scheme = SchemeID(linkIndex: index) else { continue }
            let value = own[scheme]
            if value.isEmpty || value == logged[scheme] { continue }
            log(value.span, of: scheme, nowMilliseconds: now)
        }
    }

    /// A day's key goes to its owner by the log, and is nowhere else but in memory: who takes the board has none of days past.
    private mutating func logExposureKey(nowMilliseconds now: UInt64) {
        guard let key = schemes.exposureKey, key != loggedExposureKey else { return }
        loggedExposureKey = key
        store.keeper.append(
            .ownKey(
                OwnKeyEntry(
                    monotonicMilliseconds: now, scheme: SchemeCode(.exposureNotification),
                    firstPeriod: key.rollingStart.number, periodCount: key.rollingPeriod,
                    key: FixedBuffer(key.data.span) ?? FixedBuffer())),
            nowMilliseconds: now)
    }

    /// Phones, and other boards, take two devices of one payload for one (X8).
    mutating func reportDuplicateIdentities(nowMilliseconds now: UInt64) {
        guard controller.counters.duplicateIdentities != reportedDuplicateIdentities,
            now >= nextDuplicateIdentityNoticeMilliseconds
        else { return }
        reportedDuplicateIdentities = controller.counters.duplicateIdentities
        nextDuplicateIdentityNoticeMilliseconds = now + Self.duplicateIdentityNoticeIntervalMilliseconds
        board.report(.identityDuplicated(settings.role))
    }

    private mutating func log(_ identity: Span<UInt8>, of scheme: SchemeID, nowMilliseconds now: UInt64) {
        let address = controller.identity.address
        store.keeper.append(
            .ownIdentity(
                OwnIdentityEntry(
                    monotonicMilliseconds: now, address: address.bytes, addressType: address.addressType,
                    scheme: SchemeCode(scheme), identity: FixedBuffer(identity) ?? FixedBuffer())),
            nowMilliseconds: now)
    }
}
