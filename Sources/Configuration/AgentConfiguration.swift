import FixedMemory

/// The complete configuration of the agent as plain values. A new one holds the defaults.
///
/// ``ConfigurationKey`` defines the name of each value in a file, its range and its purpose.
public struct AgentConfiguration: BitwiseCopyable, Equatable, Sendable {
    public var agent = Agent()
    public var radio = Radio()
    public var herald = Herald()
    public var schemes = Schemes()
    public var encounters = Encounters()
    public var log = Log()
    public var keys = Keys()
    public var sync = Sync()
    public var snoop = Snoop()

    public init() {}

    public struct Agent: BitwiseCopyable, Equatable, Sendable {
        public var role = Role.beacon
        /// The name that archives give the board. Only its own archive sees it, and nobody on the air.
        public var name = FixedText<256>()
        /// The position of a beacon.
        public var position: GeographicPosition?
    }

    /// The role of the board. The log's boot entries hold the raw value.
    public enum Role: UInt8, BitwiseCopyable, Sendable {
        case beacon = 0
        case wearable = 1
    }

    /// Whether the board knows what to advertise: a wearable makes its own identities, a beacon needs a
    /// location or a client identifier. A board that is not set up leaves its radio alone, and serves its
    /// sync port, through which it can be set up.
    public var isSetUp: Bool {
        agent.role == .wearable || herald.location != nil || herald.clientIdentifier != nil
    }

    public struct Radio: BitwiseCopyable, Equatable, Sendable {
        public var hci = TransportName.hciSocket(.number(0))
        public var scan = true
        public var advertise = true
        public var usesExtendedCommands = false
        /// A beacon's address; nil means that the agent derives one from the log's identity.
        public var address: BeaconAddress?
        public var advertisingIntervalMilliseconds: UInt16 = 250
        public var scanIntervalMilliseconds: UInt16 = 60
        public var scanWindowMilliseconds: UInt16 = 50
        public var duty = ScanDuty.continuous
        /// With ``ScanDuty/custom`` only.
        public var quietScanIntervalMilliseconds: UInt16 = 600
        public var quietScanWindowMilliseconds: UInt16 = 30
        /// The transmit power that adverts contain; the agent does not set the controller's power.
        public var txPowerDBm: Int8 = 8
        public var power = RadioPowerName.off
        /// The minutes of failed recovery after which the agent exits; 0 means never.
        public var giveUpMinutes: UInt16 = 10
    }

    /// The share of the time for which the board listens (docs/energy.md).
    public enum ScanDuty: UInt8, BitwiseCopyable, Sendable {
        /// By `scan_interval_milliseconds` and `scan_window_milliseconds` at all times.
        case continuous
        /// Less while no identified peer is near.
        case balanced
        /// Little, and less while no identified peer is near.
        case saver
        /// By the board's own figures: the two above while an identified peer is near, and
        /// `quiet_scan_interval_milliseconds` and `quiet_scan_window_milliseconds` while none is.
        case custom
    }

    public struct Herald: BitwiseCopyable, Equatable, Sendable {
        /// The country code, ISO 3166-1 numeric.
        public var country: UInt16 = 826
        public var state: UInt16 = 0
        /// The venue's location number, which a venue beacon needs.
        public var location: UInt32?
        /// The permanent number of a beacon that represents a device instead of a venue.
        public var clientIdentifier: UInt64?
        public var name = FixedText<256>()
        public var area = FixedText<256>()
        public var disambiguation = FixedText<256>()
        public var url = FixedText<256>()
        /// The file from which a wearable's identities are derived.
        public var secret = FixedText<256>("/var/lib/tabard/herald.secret")
        /// The interval of write-back on a board that does not advertise.
        public var writeBackSeconds: UInt16 = 15
        public var sharesPayloads = false
        public var asksModel = false
        public var wakesIPhones = false
    }

    public struct Schemes: BitwiseCopyable, Equatable, Sendable {
        public var sonar = SchemeRole.off
        public var covidTracer = SchemeRole.off
        public var bleProximity = SchemeRole.off
        public var exposureNotification = SchemeRole.off
        /// BlueTrace, DP-3T, ROBERT, TCN.
        public var other = SchemeRole.off
        public var sonarPeriodMinutes: UInt16 = 1_440
        public var bleProximityPeriodMinutes: UInt16 = 30
        /// The minimum RSSI at which the agent connects to a device whose adverts carry no identification.
        public var covidTracerProbeDBm: Int8 = -85

        public init() {}
    }

    /// The board's use of a scheme other than Herald.
    public enum SchemeRole: UInt8, BitwiseCopyable, Sendable {
        case off
        /// The board records the identities that it hears or reads.
        case listen
        /// In addition, the board advertises and serves identities of its own.
        case on

        /// Whether the board records the identities of other devices.
        public var listens: Bool { self != .off }
    }

    public struct Encounters: BitwiseCopyable, Equatable, Sendable {
        public var sampleSeconds: UInt16 = 8
        public var gapSeconds: UInt16 = 30
        public var peers: UInt16 = 4096
        public var links: UInt8 = 4
        public var dropsWeakestLink = false
        public var raw = false
    }

    public struct Log: BitwiseCopyable, Equatable, Sendable {
        public var path = FixedText<256>("/var/lib/tabard/encounters.log")
        /// The size of a new log in MiB; with 0, ``newLogByteCount`` calculates a size for 28 days.
        public var sizeMebibytes: UInt16 = 0
        public var lossWindowSeconds: UInt16 = 30
        /// The days that entries are kept; 0 means as long as there is space.
        public var retentionDays: UInt16 = 28

        /// The size of a newly made log. The default size is for 28 days with one page of 4 KiB in each loss
        /// window. It includes a fifth more, for hours in which a window takes more than one page.
        public var newLogByteCount: UInt64 {
            let mebibyte: UInt64 = 1 << 20
            if sizeMebibytes > 0 { return UInt64(sizeMebibytes) * mebibyte }
            let pageCount = 28 * 86_400 / UInt64(max(lossWindowSeconds, 1))
            let mebibytes = pageCount * 4_096 * 6 / 5 / mebibyte + 1
            return min(max(mebibytes, 16), 2_047) * mebibyte
        }
    }

    public struct Keys: BitwiseCopyable, Equatable, Sendable {
        /// The path of the key file; empty means beside the log.
        public var path = FixedText<256>()
    }

    /// The file of the board's keys: `keys.path`, or the log's path with ".keys" appended. Nil if the log is
    /// on a device, where no file can be placed beside it, or if the path would be too long.
    public var keysFile: FixedText<256>? {
        guard keys.path.isEmpty else { return keys.path }
        guard !isLogOnDevice else { return nil }
        return Self.path(log.path, with: ".keys")
    }

    /// Whether the log is on a device, beside which no file can be placed.
    public var isLogOnDevice: Bool { log.path.span.starts(with: "/dev/") }

    /// The file of configuration changes set over the sync port: ``keysFile`` with ".toml" appended. Nil if
    /// there is no ``keysFile``, or if the path would be too long.
    public var changesFile: FixedText<256>? {
        guard let keysFile else { return nil }
        return Self.path(keysFile, with: ".toml")
    }

    /// The file that binds log and keys to a machine: ``keysFile`` with ".machine" appended.
    public var machineFile: FixedText<256>? { file(besideKeysWith: ".machine") }

    /// Returns ``keysFile`` with `ending` appended; the secrets of other schemes are kept in such files.
    @inline(never)
    public func file(besideKeysWith ending: StaticString) -> FixedText<256>? {
        keysFile.flatMap { Self.path($0, with: ending) }
    }

    private static func path(_ path: FixedText<256>, with ending: StaticString) -> FixedText<256>? {
        var longer = FixedBuffer<1024>()
        do throws(CapacityError) {
            try longer.append(path.span)
            try longer.append(ending)
        } catch {
            return nil
        }
        return FixedText(longer.span)
    }

    public struct Sync: BitwiseCopyable, Equatable, Sendable {
        public var port = SyncPortName.off
        public var baud: UInt32 = 115_200
    }

    public struct Snoop: BitwiseCopyable, Equatable, Sendable {
        /// The path of the capture; empty means no capture.
        public var file = FixedText<256>()
    }
}
