import EncounterLog
import FixedMemory
import FlashSimulator
import Schemes

/// The meetings of a sample archive. The same plan gives both boards of a meeting the same one.
struct MeetingPlan {
    /// An encounter as one board records it.
    struct Encounter {
        let start: Interval
        let scheme: SchemeCode
        let identity: [UInt8]
        let address: Bytes<6>
    }

    let boardCount: Int
    let dayCount: Int
    /// The app of the strangers' phones; nil for Herald with the same identity on all days.
    let phones: SamplePhones?
    private let seed: UInt64
    /// The encounters of each day but the first, at all boards.
    private let dailyCount: Int

    /// A day is a thousandth of a large archive.
    private static let largestDayCount = 1_000
    private static let firstDayCount = 1_000
    /// Of ten encounters one is a meeting of two boards, which both record it.
    private static let meetingShare = 10
    static let strangerCount: UInt64 = 5_000
    static let identityByteCount = 21

    /// 2023-01-01T00:00:00Z
    static let firstDay = WallClockTime(milliseconds: 1_672_531_200_000)

    init(encounterCount: Int, boardCount: Int, seed: UInt64, hasPhones: Bool) {
        self.boardCount = boardCount
        phones = hasPhones ? SamplePhones(seed: seed, firstDay: Self.firstDay) : nil
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
    func encounters(
        ofBoard board: Int, day: Int
    ) throws(ExposureNotificationError) -> [Encounter] {
        var random = RandomStream(seed: seed).split("meetings of day \(day)")
        var encounters: [Encounter] = []
        for _ in 0..<meetingCount(day: day) {
            let one = Int(random.below(UInt64(boardCount)))
            let other = (one + 1 + Int(random.below(UInt64(boardCount - 1)))) % boardCount
            let start = Self.start(&random)
            guard one == board || other == board else { continue }
            encounters.append(
                herald(identity(ofBoard: one == board ? other : one, day: day), at: start))
        }
        var strangers = RandomStream(seed: seed).split("strangers of \(board) on day \(day)")
        for _ in 0..<self.strangers(day: day) / boardCount {
            let stranger = strangers.below(Self.strangerCount)
            let start = Self.start(&strangers)
            if let phones {
                let identity = try phones.identity(of: stranger, day: day, at: start)
                encounters.append(encounter(SchemeCode(.exposureNotification), identity, at: start))
            } else {
                var random = RandomStream(seed: seed).split("stranger \(stranger)")
                let identity = [0x10, 0x3a, 0x03] + random.bytes(Self.identityByteCount - 3)
                encounters.append(herald(identity, at: start))
            }
        }
        return encounters.sorted { $0.start < $1.start }
    }

    private func herald(_ identity: [UInt8], at start: Interval) -> Encounter {
        encounter(SchemeCode(.herald), identity, at: start)
    }

    private func encounter(_ scheme: SchemeCode, _ identity: [UInt8], at start: Interval) -> Encounter {
        let tail = Array(identity.suffix(6))
        var address = Bytes<6>(tail.span) ?? Bytes()
        address[5] |= 0xc0
        return Encounter(start: start, scheme: scheme, identity: identity, address: address)
    }

    /// From 07:00 to 21:00, so that no encounter continues on the next day.
    private static func start(_ random: inout RandomStream) -> Interval {
        .seconds(7 * 3_600 + random.below(14 * 3_600))
    }
}
