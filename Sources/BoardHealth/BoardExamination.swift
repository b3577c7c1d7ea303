import BoardLink
import Configuration
import DeviceSync
import FixedMemory

/// A board's own account of itself over the cable, and its record in the archive, judged.
public struct BoardExamination: Sendable {
    /// The board in the archive.
    public enum Standing: Sendable, Equatable {
        /// The archive could not be opened.
        case unknown
        case absent
        /// Nobody has trusted the board, so its log does not count.
        case untrusted
        /// `fetched`: when its log was last fetched; nil for never.
        case trusted(fetched: WallClockTime?)
    }

    /// How commands name the board and the archive.
    public struct Names: Sendable {
        /// The port, as commands take it.
        public var port: String
        /// The first digits of the log's identity.
        public var board: String
        /// Further options of a command at the port, each with a space before it.
        public var portOptions = ""
        /// Further options of a command with the archive.
        public var archiveOptions = ""

        public init(port: String, board: String) {
            self.port = port
            self.board = board
        }
    }

    public let names: Names
    public let status: BoardStatus
    public let keys: BoardKeyReport?
    /// Nil if it could not be read.
    public let configuration: AgentConfiguration?
    public let standing: Standing
    /// This computer's time; nil if its clock was never set.
    public let now: WallClockTime?

    /// A log that was not fetched for so long is a warning.
    public static let longestUnfetched = Interval.days(7)
    /// A clock that differs by more is a warning.
    private static let largestClockError = Interval.seconds(5)

    public init(
        _ names: Names, status: BoardStatus, keys: BoardKeyReport?, configuration: AgentConfiguration?,
        standing: Standing, now: WallClockTime?
    ) {
        self.names = names
        self.status = status
        self.keys = keys
        self.configuration = configuration
        self.standing = standing
        self.now = now
    }

    /// All findings, in the order in which a person would mend them.
    public var findings: [Finding] {
        var findings = [Finding(.ok, "agent", "answers, version \(status.versionText)")]
        if status.radioState == .unused {
            findings.append(
                Finding(
                    .fault, "place", "the board is not set up, so its radio stays off",
                    .run(setup)))
        } else {
            findings.append(radio)
            findings += roles
            findings += identity
            findings.append(clock)
        }
        for more in [medium, log, crowd, access] { findings += more }
        if let battery { findings.append(battery) }
        return findings + [archive]
    }

    // MARK: The radio

    private var radio: Finding {
        switch status.radioState {
        case .up, .quiet: return Finding(.ok, "radio", status.radioText)
        case nil: return Finding(.unknown, "radio", "the board is too old to report it")
        default:
            return Finding(
                .fault, "radio", status.radioText,
                .advice(
                    "if it stays so, cut the board's power for a moment; on the board, sudo tabard doctor "
                        + "looks for the cause"))
        }
    }

    private var roles: [Finding] {
        guard let radio = configuration?.radio else { return [] }
        var findings: [Finding] = []
        if !radio.scan {
            findings.append(
                Finding(
                    .warning, "scan", "off, so the board records only what others write to it",
                    .run(set("radio.scan=true"))))
        }
        if !radio.advertise {
            findings.append(
                Finding(
                    .warning, "advertising", "off, so phones do not find the board",
                    .run(set("radio.advertise=true"))))
        }
        return findings
    }

    private var identity: [Finding] {
        var findings: [Finding] = []
        if status.identityState == .keyMissing {
            findings.append(
                Finding(
                    .fault, "identity", "the wearable has no key for today",
                    .advice(
                        "give it keys for the coming days: tabardctl provision \(names.port) --scheme herald "
                            + "--secret FILE")))
        }
        if status.duplicateIdentityCount > 0 {
            findings.append(
                Finding(
                    .fault, "identity", "another device advertises this board's identity",
                    .advice(
                        "give each beacon a number of its own, and make the card of a copied board anew")))
        }
        return findings
    }

    private var clock: Finding {
        guard let time = status.wallClock else {
            let isNeeded = configuration?.agent.role == .wearable || status.identityState == .timeUnknown
            return Finding(
                isNeeded ? .fault : .warning, "clock",
                isNeeded
                    ? "not known, so the wearable has no identity to advertise"
                    : "not known; contacts get their times at the next sync",
                .run(sync))
        }
        guard let now else { return Finding(.unknown, "clock", "this computer's own clock is not set") }
        let error = time < now ? now.interval(since: time) : time.interval(since: now)
        guard error > Self.largestClockError else { return Finding(.ok, "clock", "right") }
        return Finding(
            .warning, "clock", "\(error.seconds) s \(time < now ? "slow" : "fast")",
            .run(sync))
    }

    // MARK: The battery and the log

    private var battery: Finding? {
        guard let battery = status.battery else { return nil }
        let charge = battery.percent.map { "\($0) %" } ?? "charge not known"
        guard battery.isLow else { return Finding(.ok, "battery", charge) }
        return Finding(.warning, "battery", "low: \(charge)", .advice("charge the board"))
    }

    private var medium: [Finding] {
        var findings: [Finding] = []
        if status.takesPages == false {
            findings.append(
                Finding(
                    .fault, "medium", "refuses new pages, and entries wait in memory",
                    .advice("fetch the log, then make room on the card, or replace it")))
        } else if status.flashFailureCount > 0 {
            findings.append(
                Finding(
                    .warning, "medium",
                    "has failed \(Self.count(status.flashFailureCount, "time")) to write or erase",
                    .advice("if the number grows, fetch the log and replace the card")))
        }
        if status.droppedEntryCount > 0 {
            findings.append(
                Finding(
                    .fault, "medium",
                    "did not take \(Self.count(status.droppedEntryCount, "entry", "entries"))",
                    .advice("fetch the log, then replace the card")))
        }
        return findings
    }

    private var log: [Finding] {
        var findings: [Finding] = []
        if status.lostSegmentCount > 0 {
            findings.append(
                Finding(
                    .warning, "log",
                    Self.count(status.lostSegmentCount, "segment")
                        + " overwritten before anybody had fetched them",
                    .run(sync)))
        }
        switch status.isSealed {
        case false?:
            findings.append(
                Finding(
                    .warning, "log", "not encrypted: anyone who has the board can read it",
                    .run(setup)))
        case true?:
            findings.append(
                Finding(.ok, "log", "encrypted, \(Self.count(status.segmentCount, "segment"))"))
        case nil: findings.append(Finding(.ok, "log", Self.count(status.segmentCount, "segment")))
        }
        return findings
    }

    private var crowd: [Finding] {
        let lost = UInt64(status.evictedPeerCount) + UInt64(status.turnedAwayCount)
        guard lost > 0 else { return [] }
        return [
            Finding(
                .warning, "crowd",
                "the peer table was full, and "
                    + Self.count(lost, "device or report", "devices or reports") + " found no room",
                .advice(
                    "if that comes back and the board has the memory, raise encounters.peers "
                        + "(docs/configuration.md)"))
        ]
    }

    // MARK: The operator

    private var access: [Finding] {
        guard let keys else {
            return [Finding(.unknown, "keys", "the board has no storage for keys")]
        }
        guard keys.operatorFingerprint == nil else { return [] }
        return [
            Finding(
                .warning, "keys", "no operator's key: anyone at the cable can change and erase",
                .run(setup))
        ]
    }

    private var archive: Finding {
        switch standing {
        case .unknown: return Finding(.unknown, "archive", "it cannot be opened")
        case .absent:
            return Finding(
                .warning, "archive", "has nothing of this board", .run(sync))
        case .untrusted:
            return Finding(
                .warning, "archive", "the board is not trusted, so its log does not count",
                .run("tabardctl trust \(names.board)\(names.archiveOptions)"))
        case .trusted(nil):
            return Finding(.warning, "archive", "the log was never fetched", .run(sync))
        case .trusted(let fetched?):
            guard let now, fetched < now else { return Finding(.ok, "archive", "fetched") }
            let days = now.interval(since: fetched) / Interval.days(1)
            guard now.interval(since: fetched) >= Self.longestUnfetched else {
                return Finding(.ok, "archive", days == 0 ? "fetched today" : "fetched \(days) days ago")
            }
            return Finding(
                .warning, "archive", "the log was last fetched \(days) days ago" + retention,
                .run(sync))
        }
    }

    private var retention: String {
        guard let days = configuration?.log.retentionDays, days > 0 else { return "" }
        return ", and the board erases it after \(days)"
    }

    // MARK: Commands

    private var sync: String {
        "tabardctl sync \(names.port)\(names.portOptions)\(names.archiveOptions)"
    }
    private var setup: String {
        "tabardctl setup \(names.port)\(names.portOptions)\(names.archiveOptions)"
    }
    private func set(_ assignment: String) -> String {
        "tabardctl config \(names.port) set \(assignment)\(names.portOptions)"
    }

    private static func count(_ number: some BinaryInteger, _ one: String, _ several: String? = nil) -> String
    {
        "\(number) \(number == 1 ? one : several ?? one + "s")"
    }
}
