import Archive
import LogContents

/// What a phone with Herald would have written down had it been in the board's place, as far as the board's log tells.
public struct HeraldLog: Sendable, Equatable {
    public var board: LogIdentity
    /// What the operator calls the board; otherwise a word before its identity, for R takes `957e4854` for a number.
    public var model: String
    /// Of the last start of the agent; empty when the entry that says it is lost.
    public var softwareVersion: String
    /// Under which others' logs have the board; nil when nobody can say.
    public var ownName: String?
    /// In order of time.
    public var rows: [HeraldLogRow]
    /// As `contacts.csv` names them; rows point here.
    public var devices: [String]
    public var payloads: [HeraldLogPayload]
    /// Left out, for Herald's logs have nothing but wall time.
    public var undatedTrackCount: Int
}

/// A payload with the name that Herald's logs have for it.
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
        /// The payload's place among ``HeraldLog/payloads``.
        case read(Int)
        case measure(HeraldLogRSSI)
        /// The device told of a payload that it met.
        case share(Int)
        case delete
    }

    /// Since 1970 UTC.
    public let milliseconds: Int64
    /// The place among ``HeraldLog/devices``.
    public let device: Int
    public let content: Content

    public init(milliseconds: Int64, device: Int, content: Content) {
        self.milliseconds = milliseconds
        self.device = device
        self.content = content
    }

    /// Of what happens at the same time, what comes first.
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
    /// Nil when the peer does not say.
    public let txPowerDBm: Int32?

    public init(tenthsDBm: Int32, txPowerDBm: Int32? = nil) {
        self.tenthsDBm = tenthsDBm
        self.txPowerDBm = txPowerDBm
    }

    init(wholeDBm: Int, txPowerDBm: Int?) {
        tenthsDBm = Int32(clamping: min(max(wholeDBm, -1_000), 1_000) * 10)
        self.txPowerDBm = txPowerDBm.map { Int32(clamping: $0) }
    }

    init(_ sample: Sample) {
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
