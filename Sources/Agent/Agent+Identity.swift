import EncounterLog
import FixedMemory
import HCI
import Schemes

/// A wearable's identity, part of a step.
extension Agent {
    mutating func keepIdentity(nowMilliseconds now: UInt64) {
        guard identity?.isDue(nowMilliseconds: now) == true else { return }
        let before = identity?.standing
        let change = identity?.advance(
            system: clock.wallClock, toldOffset: store.toldOffsetMilliseconds, random: &random,
            nowMilliseconds: now)
        if let change { controller.become(change, recorder: &recorder, nowMilliseconds: now) }
        if let standing = identity?.standing, standing != before { say(standing) }
    }

    /// We are somebody else now, or nobody.
    mutating func logIdentity(nowMilliseconds now: UInt64) {
        let own = controller.identity
        let address = own.isNobody ? nil : own.address
        guard address != loggedAddress else { return }
        loggedAddress = address
        store.keeper.append(
            .ownIdentity(
                OwnIdentityEntry(
                    monotonicMilliseconds: now, address: own.address.bytes,
                    addressType: own.address.addressType, scheme: .herald, identity: own.payload)),
            nowMilliseconds: now)
    }

    private mutating func say(_ standing: IdentityStanding) {
        guard let schedule = identity?.schedule else { return }
        let epoch = CalendarDate(daysSince1970: schedule.epochDay)
        let last = CalendarDate(daysSince1970: schedule.epochDay &+ UInt32(HeraldKeySchedule.lastDay))
        let line = Self.line { line throws(CapacityError) in
            try line.append("identity: ")
            switch standing {
            case .present:
                try line.append("a new one every 6 minutes; the key schedule lasts through ")
                try line.append(last)
            case .timeUnknown:
                try line.append("none before the time is known, so not advertising; ")
                try line.append("sync the board, or set the system's clock")
            case .beforeEpoch:
                try line.append("none before herald.epoch, ")
                try line.append(epoch)
                try line.append(", so not advertising; is the clock right?")
            case .scheduleOver:
                try line.append("none since the key schedule ended on ")
                try line.append(last)
                try line.append(", so not advertising; set a new herald.epoch and take a new herald.secret")
            }
        }
        board.log(line.span)
    }
}
