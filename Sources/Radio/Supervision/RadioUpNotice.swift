import HCI

/// The state of a controller that has been brought up, for the operator.
public struct RadioUpNotice: Equatable, BitwiseCopyable, Sendable {
    /// The address that the board uses on the air.
    public var address: DeviceAddress
    public var hciVersion: UInt8
    public var manufacturer: UInt16
    public var firmware: UInt16
    public var restrictions: Restrictions

    public init(
        address: DeviceAddress, hciVersion: UInt8, manufacturer: UInt16, firmware: UInt16,
        restrictions: Restrictions
    ) {
        self.address = address
        self.hciVersion = hciVersion
        self.manufacturer = manufacturer
        self.firmware = firmware
        self.restrictions = restrictions
    }

    /// Features that the controller lacks, and reasons why the board does not scan and advertise all the
    /// time. It is not an `OptionSet`, because the literals of those are arrays, and boards have none.
    public struct Restrictions: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let none = Restrictions(rawValue: 0)

        /// The controller's address is the default of a chip whose firmware patch was not loaded.
        public static let firmwarePatchMissing = Restrictions(rawValue: 1 << 0)
        /// The controller cannot advertise: the board writes its identity to peers.
        public static let cannotAdvertise = Restrictions(rawValue: 1 << 1)
        /// The controller cannot scan and advertise at the same time.
        public static let timeMultiplexed = Restrictions(rawValue: 1 << 2)
        /// The configuration switches scanning off.
        public static let scanningDisabled = Restrictions(rawValue: 1 << 3)
        /// The configuration switches advertising off.
        public static let advertisingDisabled = Restrictions(rawValue: 1 << 4)

        /// The controller refuses random addresses, so the board sends under its public one.
        public static let randomAddressRefused = Restrictions(rawValue: 1 << 5)
        /// The controller refuses an event mask.
        public static let eventMaskRefused = Restrictions(rawValue: 1 << 6)
        /// The controller has not told all about itself that it should.
        public static let informationMissing = Restrictions(rawValue: 1 << 7)

        public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }

        mutating func insert(_ other: Self) { rawValue |= other.rawValue }
    }
}
