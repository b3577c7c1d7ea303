import Archive
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import KeyFiles
import LogContents
import Reports

/// A serial port and the board behind it, as `tabardctl devices --json` prints it. Later versions only add
/// fields; they never rename or remove one.
struct PortDocument: PrintedRow {
    static let schema = PrintedSchema("ports")

    struct Counts: Encodable {
        let openEncounters: UInt32
        let encounters: UInt32
        let evictedPeers: UInt32
        let droppedReports: UInt32
        let refusedIdentities: UInt32
        let duplicateIdentities: UInt32
        let lostSegments: UInt32
    }

    let port: String
    /// `board`, `otherServer`, `silent` or `closed`.
    let state: String
    /// Why the port is closed.
    @NullIfUnknown private(set) var reason: String?
    /// The log's identity; null without a board, as is all that follows.
    @NullIfUnknown private(set) var board: String?
    /// The boot of its agent, 16 hexadecimal digits.
    @NullIfUnknown private(set) var boot: String?
    @NullIfUnknown private(set) var version: String?
    /// The length of its log.
    @NullIfUnknown private(set) var bytes: Int?
    /// Its clock, RFC 3339, UTC; null if it is not set.
    @NullIfUnknown private(set) var time: String?
    /// By how much its clock is ahead of this computer's.
    @NullIfUnknown private(set) var clockOffsetSeconds: Double?
    /// Whether it has a role and a place; a board without them leaves its radio off.
    @NullIfUnknown private(set) var isSetUp: Bool?
    /// Whether it encrypts its log; null if it is too old to report it.
    @NullIfUnknown private(set) var isSealed: Bool?
    /// The slot of the update that runs, 0 for the installed package; null without a launcher.
    @NullIfUnknown private(set) var updateSlot: UInt8?
    @NullIfUnknown private(set) var isUpdateOnTrial: Bool?
    /// Null if it reports no battery.
    @NullIfUnknown private(set) var batteryPercent: UInt8?
    @NullIfUnknown private(set) var isBatteryLow: Bool?
    /// One line for people.
    @NullIfUnknown private(set) var radio: String?
    /// Fingerprints; null for a key that it lacks.
    @NullIfUnknown private(set) var boardKey: String?
    @NullIfUnknown private(set) var operatorKey: String?
    /// Since the boot.
    @NullIfUnknown private(set) var counts: Counts?

    init(_ probed: ProbedPort, now: WallClockTime) {
        port = probed.path
        switch probed.finding {
        case .otherServer: state = "otherServer"
        case .silent: state = "silent"
        case .closed(let error):
            state = "closed"
            reason = Failure(error).message
        case .board(let index, let status):
            state = "board"
            board = index.board.hexadecimal
            boot = TimeText.boot(status.bootIdentifier)
            version = status.versionText
            bytes = index.segments.reduce(0) { $0 + Int($1.byteCount) }
            time = status.wallClock.map(TimeText.utc)
            clockOffsetSeconds = status.wallClock.map {
                (Double($0.milliseconds) - Double(now.milliseconds)) / 1_000
            }
            isSetUp = status.radioState != .unused
            isSealed = status.isSealed
            updateSlot = status.update?.slot
            isUpdateOnTrial = status.update?.isOnTrial
            batteryPercent = status.battery?.percent
            isBatteryLow = status.battery?.isLow
            radio = status.radioText
            boardKey = probed.keys?.board.fingerprintText
            operatorKey = probed.keys?.operatorFingerprint.map(Fingerprint.text)
            counts = Counts(
                openEncounters: status.openEncounterCount, encounters: status.encounterCount,
                evictedPeers: status.evictedPeerCount, droppedReports: status.turnedAwayCount,
                refusedIdentities: status.refusedIdentityCount,
                duplicateIdentities: status.duplicateIdentityCount, lostSegments: status.lostSegmentCount)
        }
    }
}
