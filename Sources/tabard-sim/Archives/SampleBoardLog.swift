import Archive
import EncounterLog
import FixedMemory
import FlashSimulator

/// The log of one board in a sample archive, written by the board's own code.
struct SampleBoardLog {
    private let number: Int
    private let plan: MeetingPlan
    private let board: SampleBoard

    private static let day = Interval.days(1)
    /// The board starts anew so often.
    private static let daysOfBoot = 28
    private static let sampleCount: UInt64 = 8
    private static let sampleLength = Interval.seconds(30)
    /// More than the entries of an encounter take.
    private static let encounterByteCount = 320

    init(_ number: Int, _ plan: MeetingPlan) throws {
        self.number = number
        self.plan = plan
        board = try SampleBoard(
            number, named: "Board \(number + 1)",
            byteCount: plan.encounterCount / plan.boardCount * 2 * Self.encounterByteCount + plan.dayCount
                * 8_192)
    }

    /// Writes the log, and stores it as a fetch does.
    func store(in archive: Archive) throws {
        var day = 0
        while day < plan.dayCount {
            let days = day..<min(day + Self.daysOfBoot, plan.dayCount)
            var log = try EncounterLog(
                mounting: BenchFlash(board.chip), newLogIdentity: board.identity,
                bootIdentifier: bootIdentifier(days))
            try write(days, to: &log)
            try log.commit()
            day = days.upperBound
            guard day == plan.dayCount else { continue }
            let end = MeetingPlan.firstDay + Self.day * UInt64(plan.dayCount)
            try board.store(&log, fetchedAt: end, in: archive)
        }
    }

    private func bootIdentifier(_ days: Range<Int>) -> UInt64 {
        RandomStream.mix(UInt64(number) << 32 | UInt64(days.lowerBound))
    }

    // MARK: Entries

    private func write(_ days: Range<Int>, to log: inout EncounterLog<BenchFlash>) throws {
        try log.append(
            .boot(
                BootEntry(
                    bootIdentifier: bootIdentifier(days), instant: .start, softwareVersion: Bytes(),
                    sampleLength: Self.sampleLength, encounterTimeout: .seconds(30), lossWindow: .seconds(30),
                    role: .wearable)), now: .start)
        var track: UInt32 = 0
        for day in days {
            let start = Instant.start + Self.day * UInt64(day - days.lowerBound)
            try log.append(
                .anchor(
                    AnchorEntry(
                        instant: start, wallClock: MeetingPlan.firstDay + Self.day * UInt64(day),
                        errorMilliseconds: 20, source: .host)), now: start)
            let own = plan.identity(ofBoard: number, day: day)
            try log.append(
                .ownIdentity(
                    OwnIdentityEntry(
                        instant: start, address: Bytes(), addressType: 1, scheme: SchemeCode(.herald),
                        identity: FixedBuffer(own.span) ?? FixedBuffer())), now: start)
            var random = RandomStream(seed: UInt64(number)).split("samples of day \(day)")
            for encounter in try plan.encounters(ofBoard: number, day: day) {
                track += 1
                try write(encounter, track: track, at: start + encounter.start, &random, to: &log)
            }
            let end = start + Self.day - .seconds(1)
            try log.append(
                .coverage(
                    CoverageEntry(
                        start: start, end: end, reports: 100_000, malformed: 0, dropped: 0, evicted: 0)),
                now: end)
        }
    }

    private func write(
        _ encounter: MeetingPlan.Encounter, track: UInt32, at start: Instant, _ random: inout RandomStream,
        to log: inout EncounterLog<BenchFlash>
    ) throws {
        try log.append(
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: track, instant: start, address: encounter.address, addressType: 1,
                    foundBy: encounter.scheme == SchemeCode(.herald) ? .heraldService : .exposureNotification)
            ), now: start)
        try log.append(
            .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: track, instant: start + .seconds(1), scheme: encounter.scheme,
                    identity: FixedBuffer(encounter.identity.span) ?? FixedBuffer())), now: start)
        var end = start
        let strength = -50 - Int(random.below(40))
        for place in 0..<Self.sampleCount {
            let sampleStart = start + Self.sampleLength * place
            end = sampleStart + .seconds(29)
            let mean = strength - Int(random.below(8))
            try log.append(
                .sample(
                    SampleEntry(
                        encounter: track, start: sampleStart, end: end, readings: 20,
                        minimumRSSIDBm: Int8(mean - 4), maximumRSSIDBm: Int8(mean + 4),
                        meanRSSITenthsDBm: Int16(mean * 10 + Int(random.below(10))))), now: end)
        }
        try log.append(
            .encounterClosed(
                EncounterClosedEntry(
                    encounter: track, instant: end, readings: UInt32(Self.sampleCount * 20))), now: end)
    }
}
