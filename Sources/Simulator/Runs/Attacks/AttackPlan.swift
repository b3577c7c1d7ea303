import FlashSimulator
import HCI

/// The acts of attackers and honest phones in one room, drawn from a seed. The same plan runs with
/// attackers, and with harmless devices that send as many adverts and connect as often, but under their own
/// addresses and with their own content.
struct AttackPlan: Sendable {
    /// A phone that the board should record, and when it is there.
    struct Guest: Sendable {
        var kind: PhoneKind
        var place: Position
        var stays: [ClosedRange<SimulatedTime>]

        func isPresent(at time: SimulatedTime) -> Bool { stays.contains { $0.contains(time) } }
    }

    enum Act: Sendable {
        /// Connects under the victim's address and writes another identity, and RSSI.
        case write(rssiDBm: Int8, count: Int)
        /// Connects under the victim's address, and writes nothing.
        case connect
        /// Sends adverts from the victim's address with a pseudo address of the attacker, and then the same
        /// pseudo address from the attacker's own.
        case rename
        /// Sends adverts from the victim's address with another phone's pseudo address.
        case movePseudoAddress
    }

    struct Step: Sendable {
        var time: SimulatedTime
        var attacker: Int
        var victim: Int
        var act: Act
    }

    let seed: UInt64
    let duration: SimulatedDuration
    private(set) var guests: [Guest] = []
    private(set) var attackers: [Position] = []
    /// In order of time.
    private(set) var steps: [Step] = []

    /// The identity that attackers write: nobody has it.
    static let foreignPayload: [UInt8] =
        [0x10, 0x3a, 0x03, 0, 0, 16, 0] + [UInt8](repeating: 0x5a, count: 16)

    private static let kinds: [PhoneKind] = [
        .android, .legacy, .backgroundIPhone, .rotating, .restless, .slow, .frequent,
    ]

    init(seed: UInt64, minutes: UInt64) {
        self.seed = seed
        duration = .minutes(minutes)
        var random = RandomStream(seed: seed).split("attack")
        let end = SimulatedTime.zero + duration
        for _ in 0..<4 + random.below(5) {
            let kind = Self.kinds[Int(random.below(UInt64(Self.kinds.count)))]
            let place = Position.inRoom(&random)
            // Arrival, an absence now and then, and leaving.
            var stays: [ClosedRange<SimulatedTime>] = []
            var time = SimulatedTime.zero + random.duration(upTo: .minutes(4))
            // Chance decides whether a phone that arrives in the last moments is read.
            while time < end - .seconds(30) {
                let leaving = min(time + .minutes(3) + random.duration(upTo: duration), end)
                stays.append(time...leaving)
                time = leaving + .minutes(1) + random.duration(upTo: .minutes(4))
            }
            guests.append(Guest(kind: kind, place: place, stays: stays))
        }
        for _ in 0..<1 + random.below(3) { attackers.append(Position.inRoom(&random)) }
        let last = end - .seconds(30)
        for attacker in attackers.indices {
            var time = SimulatedTime.zero + random.duration(upTo: .minutes(1))
            while time < last {
                let victim = Int(random.below(UInt64(guests.count)))
                let act = Self.draw(&random, isPresent: guests[victim].isPresent(at: time))
                steps.append(Step(time: time, attacker: attacker, victim: victim, act: act))
                time += .seconds(2) + random.duration(upTo: .seconds(40))
            }
        }
        steps.sort { $0.time < $1.time }
    }

    /// Adverts under the address of a phone that has left would make it present; nothing defends against
    /// that (docs/crowds.md). Writing must not, so attackers write in the name of absent phones, too.
    private static func draw(_ random: inout RandomStream, isPresent: Bool) -> Act {
        let rssiDBm = Int8(-20 - Int(random.below(100)))
        switch random.below(isPresent ? 8 : 4) {
        case 0: return .connect
        case 1: return .write(rssiDBm: rssiDBm, count: 40)
        case 2, 3: return .write(rssiDBm: rssiDBm, count: 1 + Int(random.below(4)))
        case 4, 5: return .rename
        case 6: return .movePseudoAddress
        default: return .write(rssiDBm: rssiDBm, count: 1)
        }
    }
}
