import FixedMemory

/// The state of a battery at one moment.
public struct BatteryReading: Equatable, BitwiseCopyable, Sendable {
    /// The charge, 0 to 100 percent; nil if unknown.
    public let percent: UInt8?
    /// The voltage; nil if unknown.
    public let millivolts: UInt16?
    public let state: BatteryState
    /// Whether the board may lose its power soon.
    public let isLow: Bool

    /// - Parameter percent: More than 100 counts as unknown.
    /// - Parameter millivolts: 0 counts as unknown.
    public init(percent: UInt8?, millivolts: UInt16? = nil, state: BatteryState = .unknown, isLow: Bool) {
        self.percent = percent.flatMap { $0 <= 100 ? $0 : nil }
        self.millivolts = millivolts == 0 ? nil : millivolts
        self.state = state
        self.isLow = isLow
    }
}

/// Whether a battery is being charged. Values without a name here are read unchanged.
public struct BatteryState: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let unknown = BatteryState(rawValue: 0)
    public static let discharging = BatteryState(rawValue: 1)
    public static let charging = BatteryState(rawValue: 2)
    /// On external power, and not charging, because it is full or the charger holds.
    public static let idle = BatteryState(rawValue: 3)
}

extension BatteryReading {
    private static let unknownPercent: UInt8 = 0xff
    private static let lowFlag: UInt8 = 1

    /// The number of bytes: percent, state, flags, and the voltage (little-endian).
    public static let byteCount = 5

    public func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(percent ?? Self.unknownPercent)
        try sink.append(state.rawValue)
        try sink.append(isLow ? Self.lowFlag : 0)
        try sink.append(littleEndian: millivolts ?? 0)
    }

    /// - Parameter bytes: exactly ``byteCount``; otherwise nil.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var fields = FieldReader(bytes)
        guard let reading = try? BatteryReading(from: &fields) else { return nil }
        self = reading
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        let percent = try fields.readUInt8()
        let state = BatteryState(rawValue: try fields.readUInt8())
        let isLow = try fields.readUInt8() & Self.lowFlag != 0
        self.init(percent: percent, millivolts: try fields.readUInt16(), state: state, isLow: isLow)
    }
}
