import FixedMemory

/// Everything that can be set about the agent, as plain values. A fresh one holds the defaults.
///
/// ``ConfigurationKey`` says what each is called in a file, what it may hold and why.
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
        /// Where a beacon stands.
        public var position: GeographicPosition?
    }

    /// The raw value is what the log's boot entries hold.
    public enum Role: UInt8, BitwiseCopyable, Sendable {
        case beacon = 0
        case wearable = 1
    }

    public struct Radio: BitwiseCopyable, Equatable, Sendable {
        public var hci = TransportName.hciSocket(.number(0))
        public var scan = true
        public var advertise = true
        public var usesExtendedCommands = false
        /// A beacon's address; nil to derive one from the log's identity.
        public var address: StaticRandomAddress?
        public var advertisingIntervalMilliseconds: UInt16 = 250
        public var scanIntervalMilliseconds: UInt16 = 60
        public var scanWindowMilliseconds: UInt16 = 50
        /// What the adverts state, not what the controller is told.
        public var txPowerDBm: Int8 = 8
        public var power = RadioPowerName.off
        /// 0 for never.
        public var giveUpMinutes: UInt16 = 10
    }

    public struct Herald: BitwiseCopyable, Equatable, Sendable {
        /// ISO 3166-1 numeric.
        public var country: UInt16 = 826
        public var state: UInt16 = 0
        /// Needed by a beacon that stands for a venue.
        public var location: UInt32?
        /// Needed by a beacon that stands for no venue, but is a device of that number for good.
        public var clientIdentifier: UInt64?
        public var name = FixedText<256>()
        public var area = FixedText<256>()
        public var disambiguation = FixedText<256>()
        public var url = FixedText<256>()
        /// The file from which a wearable's identities follow.
        public var secret = FixedText<256>("/var/lib/tabard/herald.secret")
        /// Of a board that does not advertise.
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
        /// Whose adverts say nothing is only asked when heard at least so strong.
        public var covidTracerProbeDBm: Int8 = -85

        public init() {}
    }

    /// What a board does with a scheme other than Herald.
    public enum SchemeRole: UInt8, BitwiseCopyable, Sendable {
        case off
        /// It records whom it hears or reads.
        case listen
        /// It is somebody itself, besides: it advertises and serves identities of its own.
        case on

        /// Whether others' identities are recorded.
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
        /// 0: ``newLogByteCount`` is for 28 days.
        public var sizeMebibytes: UInt16 = 0
        public var lossWindowSeconds: UInt16 = 30
        /// 0 for as long as there is room.
        public var retentionDays: UInt16 = 28

        /// How large a log is made that is not there yet. If nothing is said: for 28 days with a page of 4 KiB in each loss
        /// window, and a fifth more for the hours in which a window takes more than a page.
        public var newLogByteCount: UInt64 {
            let mebibyte: UInt64 = 1 << 20
            if sizeMebibytes > 0 { return UInt64(sizeMebibytes) * mebibyte }
            let pageCount = 28 * 86_400 / UInt64(max(lossWindowSeconds, 1))
            let mebibytes = pageCount * 4_096 * 6 / 5 / mebibyte + 1
            return min(max(mebibytes, 16), 2_047) * mebibyte
        }
    }

    public struct Keys: BitwiseCopyable, Equatable, Sendable {
        /// Empty for beside the log.
        public var path = FixedText<256>()
    }

    /// The file of the board's keys: `keys.path`, or beside the log and named as it is with ".keys" behind. Nil where the
    /// log is on a device, which has no beside, or there is no room for such a name.
    public var keysFile: FixedText<256>? {
        guard keys.path.isEmpty else { return keys.path }
        guard !log.path.span.starts(with: "/dev/") else { return nil }
        return Self.path(log.path, with: ".keys")
    }

    /// The file of what was set over the cable: ``keysFile`` with ".toml" behind its name. Nil where there is none, or no room
    /// for such a name.
    public var changesFile: FixedText<256>? {
        guard let keysFile else { return nil }
        return Self.path(keysFile, with: ".toml")
    }

    /// ``keysFile`` with something behind its name, as secrets of other schemes are kept.
    @inline(never)
    public func file(besideKeysWith ending: StaticString) -> FixedText<256>? {
        keysFile.flatMap { Self.path($0, with: ending) }
    }

    private static func path(_ path: FixedText<256>, with ending: StaticString) -> FixedText<256>? {
        var longer = FixedBuffer<256>()
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
        /// Empty for none.
        public var file = FixedText<256>()
    }
}
