import Archive
import FixedMemory
import LogContents

/// The log that a phone with Herald would have written in the board's place, as far as the board's log
/// permits.
public struct HeraldLog: Sendable, Equatable {
    public var board: LogIdentity
    /// The operator's name of the board, or else a name with a word before the identity: R reads `957e4854`
    /// as a number.
    public var model: String
    /// The version in the last boot; empty if its entry is lost.
    public var softwareVersion: String
    /// The name of the board in other devices' logs; nil if unknown.
    public var ownName: String?
    /// In order of time.
    public var rows: [HeraldLogRow]
    /// The device names in `contacts.csv`; rows refer to them by index.
    public var devices: [String]
    public var payloads: [HeraldLogPayload]
    /// The board's battery, in order of time.
    public var batteryRows: [HeraldBatteryRow]
    /// The number of omitted tracks without wall time, which Herald's logs require.
    public var undatedTrackCount: Int
}

/// The charge of the board's battery.
public struct HeraldBatteryRow: Sendable, Equatable {
    public let time: WallClockTime
    /// Whether something charges the board.
    public let isExternal: Bool
    public let percent: UInt8
}

/// A payload with its short name in Herald's logs.
public struct HeraldLogPayload: Sendable, Equatable {
    public let bytes: [UInt8]
    public let name: String

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        name = HeraldShortName.text(bytes)
    }
}

public struct HeraldLogRow: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        case detect
        case detectHerald
        /// An index into ``HeraldLog/payloads``.
        case read(Int)
        case measure(HeraldLogRSSI)
        /// The device shared the payload of another device that it met.
        case share(Int)
        case delete
    }

    public let time: WallClockTime
    /// An index into ``HeraldLog/devices``.
    public let device: Int
    public let content: Content

    public init(time: WallClockTime, device: Int, content: Content) {
        self.time = time
        self.device = device
        self.content = content
    }

    /// The order of rows with equal times.
    var rank: Int {
        switch content {
        case .detect: 0
        case .detectHerald: 1
        case .read: 2
        case .measure: 3
        case .share: 4
        case .delete: 5
        }
    }
}

public struct HeraldLogRSSI: Sendable, Equatable {
    public let tenthsDBm: Int32
    /// Nil if the peer does not report it.
    public let txPowerDBm: Int32?

    public init(tenthsDBm: Int32, txPowerDBm: Int32? = nil) {
        self.tenthsDBm = tenthsDBm
        self.txPowerDBm = txPowerDBm
    }

    init(wholeDBm: Int, txPowerDBm: Int?) {
        tenthsDBm = Int32(clamping: min(max(wholeDBm, -1_000), 1_000) * 10)
        self.txPowerDBm = txPowerDBm.map { Int32(clamping: $0) }
    }

    init(_ sample: Sample<WallClockTime>) {
        tenthsDBm = Int32(clamping: Int((min(max(sample.meanDBm, -1e6), 1e6) * 10).rounded()))
        txPowerDBm = sample.txPowerDBm.map { Int32(clamping: $0) }
    }

    /// "-66.0": Herald always writes one decimal.
    var text: String { Self.decimal(tenths: tenthsDBm) }
    var txPowerText: String? { txPowerDBm.map { "\($0).0" } }

    private static func decimal(tenths: Int32) -> String {
        let magnitude = tenths.magnitude
        return "\(tenths < 0 ? "-" : "")\(magnitude / 10).\(magnitude % 10)"
    }
}
