import FixedMemory
import FlashSimulator
import Schemes

/// The meetings of a sample archive. The same plan gives both boards of a meeting the same one.
struct MeetingPlan {
    /// An encounter as one board records it.
    struct Encounter {
        let start: Interval
        let identity: [UInt8]
        let address: Bytes<6>
    }

    let boardCount: Int
    let dayCount: Int
    private let seed: UInt64
    /// The encounters of each day but the first, at all boards.
    private let dailyCount: Int

    /// A day is a thousandth of a large archive.
    private static let largestDayCount = 1_000
    private static let firstDayCount = 1_000
    /// Of ten encounters one is a meeting of two boards, which both record it.
    private static let meetingShare = 10
    private static let strangerCount: UInt64 = 5_000
    static let identityByteCount = 21

    init(encounterCount: Int, boardCount: Int, seed: UInt64) {
        self.boardCount = boardCount
        self.seed = seed
        dailyCount = max(Self.firstDayCount, encounterCount / Self.largestDayCount)
        dayCount = 1 + max(0, (encounterCount - Self.firstDayCount) / dailyCount)
    }

    /// The exact number, which may be a little below the wanted one.
    var encounterCount: Int {
        (0..<dayCount).reduce(0) { $0 + meetingCount(day: $1) * 2 + strangers(day: $1) }
    }

    private func count(day: Int) -> Int { day == 0 ? Self.firstDayCount : dailyCount }
    private func meetingCount(day: Int) -> Int { count(day: day) / Self.meetingShare / 2 }
    private func strangers(day: Int) -> Int {
        (count(day: day) - meetingCount(day: day) * 2) / boardCount * boardCount
    }

    /// The identity of a board on a day.
    func identity(ofBoard board: Int, day: Int) -> [UInt8] {
        var random = RandomStream(seed: seed).split("board \(board) day \(day)")
        return [0x10, 0x3a, 0x03] + random.bytes(Self.identityByteCount - 3)
    }

    /// The encounters of a board on a day by time, counted from the day's start.
    func encounters(ofBoard board: Int, day: Int) -> [Encounter] {
        var random = RandomStream(seed: seed).split("meetings of day \(day)")
        var encounters: [Encounter] = []
        for _ in 0..<meetingCount(day: day) {
            let one = Int(random.below(UInt64(boardCount)))
            let other = (one + 1 + Int(random.below(UInt64(boardCount - 1)))) % boardCount
            let start = Self.start(&random)
            guard one == board || other == board else { continue }
            encounters.append(
                encounter(with: identity(ofBoard: one == board ? other : one, day: day), at: start))
        }
        var strangers = RandomStream(seed: seed).split("strangers of \(board) on day \(day)")
        for _ in 0..<self.strangers(day: day) / boardCount {
            let stranger = strangers.below(Self.strangerCount)
            var random = RandomStream(seed: seed).split("stranger \(stranger)")
            encounters.append(
                encounter(
                    with: [0x10, 0x3a, 0x03] + random.bytes(Self.identityByteCount - 3),
                    at: Self.start(&strangers)))
        }
        return encounters.sorted { $0.start < $1.start }
    }

    private func encounter(with identity: [UInt8], at start: Interval) -> Encounter {
        let tail = Array(identity.suffix(6))
        var address = Bytes<6>(tail.span) ?? Bytes()
        address[5] |= 0xc0
        return Encounter(start: start, identity: identity, address: address)
    }

    /// From 07:00 to 21:00, so that no encounter continues on the next day.
    private static func start(_ random: inout RandomStream) -> Interval {
        .seconds(7 * 3_600 + random.below(14 * 3_600))
    }
}
