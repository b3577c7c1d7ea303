import Archive
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import FlashSimulator
import Foundation
import LogContents

/// The log of one board in a sample archive, written by the board's own code.
struct SampleBoardLog {
    private let number: Int
    private let plan: MeetingPlan
    private let chip: BenchFlash.Chip
    private let identity: Bytes<16>

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
        let byteCount =
            plan.encounterCount / plan.boardCount * 2 * Self.encounterByteCount + plan.dayCount * 8_192
        guard let geometry = FlashGeometry(fitting: byteCount + 4 << 20) else {
            throw SampleArchiveError.logTooLarge(byteCount: byteCount)
        }
        chip = BenchFlash.Chip(geometry)
        var random = RandomStream(seed: UInt64(number)).split("log identity")
        identity = random.bytes()
    }

    /// Writes the log, and stores it as a fetch does.
    func store(in archive: Archive) throws {
        var day = 0
        var head = LogHead()
        while day < plan.dayCount {
            let days = day..<min(day + Self.daysOfBoot, plan.dayCount)
            var log = try EncounterLog(
                mounting: BenchFlash(chip), newLogIdentity: identity, bootIdentifier: bootIdentifier(days))
            try write(days, to: &log)
            try log.commit()
            head = log.head
            day = days.upperBound
            if day == plan.dayCount { try store(FetchedSegment.all(of: &log), head, in: archive) }
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

    // MARK: The archive

    private func store(_ segments: [FetchedSegment], _ head: LogHead, in archive: Archive) throws {
        guard let board = LogIdentity([UInt8](copying: identity.span)) else { return }
        let text = Array("key of board \(number)".utf8)
        let seed = SHA256.digest(of: text.span)
        var key = try P256PrivateKey(scalar: seed, entropy: .system)
        try archive.register(
            board, blockByteCount: chip.geometry.blockByteCount,
            unitByteCount: chip.geometry.unitByteCount, name: "Board \(number + 1)")
        let now = MeetingPlan.firstDay + Self.day * UInt64(plan.dayCount)
        try archive.record(
            StoredBoardKey(
                BoardKeyring(
                    publicKey: key.publicKey.x963, ownerFingerprint: nil, operatorFingerprint: nil),
                isVouched: true, shownAt: now), of: board)
        for segment in segments {
            for offset in stride(from: 0, to: segment.bytes.count, by: 1 << 16) {
                let end = min(offset + 1 << 16, segment.bytes.count)
                try archive.append(
                    Array(segment.bytes[offset..<end]), at: offset, segment: segment.ordinal, of: board)
            }
            if segment.isComplete {
                try archive.markComplete(segment: segment.ordinal, of: board, isVerified: true)
            }
        }
        var statement = LogStatement()
        statement.logIdentity = identity
        statement.head = SyncPosition(
            segmentOrdinal: head.position.segmentOrdinal, byteOffset: head.position.byteOffset)
        statement.chainValue = head.chainValue
        let bytes = [UInt8](copying: statement.encoded.span)
        try archive.record(
            StoredManifest(
                statement: bytes,
                signature: try key.sign(digest: LogStatement.digest(of: bytes.span), entropy: .system),
                boardKey: key.publicKey.x963, receivedAt: now), of: board)
    }
}

enum SampleArchiveError: Error { case logTooLarge(byteCount: Int) }
