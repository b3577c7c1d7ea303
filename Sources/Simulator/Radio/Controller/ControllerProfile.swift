import HCI

/// A controller model: sizes, delays and vendor habits. The defaults are as strict as any known controller:
/// whatever they refuse, some real one refuses.
public struct ControllerProfile: Sendable {
    public var publicAddress = DeviceAddress(value: 0x0012_3456_7890, isRandom: false)
    /// The HCI version: 7 is 4.1, as in a Zero W; 9 is 5.0.
    public var version: UInt8 = 7
    public var manufacturer: UInt16 = 0x000f
    public var aclPacketCount = 3
    public var aclByteCount = 27
    public var linkLimit = 4
    /// The status with which it refuses connectable advertising at the link limit.
    public var linkLimitStatus = Status.connectionLimitExceeded
    /// Whether the controller scans and advertises at the same time. If not, it refuses the second (0x0C).
    public var sharesRoles = true
    /// Whether it allows connectable advertising while it has a link. If not, it refuses it (0x0C).
    public var isConnectableBesideLinks = true
    /// The maximum number of reports in one event. The controller holds reports back for at most
    /// `reportHold` until it has that many.
    public var reportsPerEvent = 1
    public var reportHold = SimulatedDuration.milliseconds(100)
    /// Whether it reports every second address as that of a resolved identity: types 2 and 3 for 0 and 1.
    public var resolvesAddresses = false
    /// Whether it has the extended commands for scanning, advertising and connecting, with a single
    /// advertising set.
    public var hasExtendedCommands = false
    /// Whether it accepts new advertising data while advertising. The specification allows that, and some
    /// controllers refuse it (0x0C).
    public var takesDataWhileAdvertising = false
    /// Whether it refuses (0x0C) to disable a scan or advertising that is already off. The specification
    /// allows it.
    public var refusesSecondDisable = false
    /// Whether it starts a scan or advertising only after parameters were set since the last reset, and
    /// else refuses it (0x12).
    public var wantsParametersFirst = false
    /// Whether it accepts scan parameters while it scans, against the specification.
    public var takesParametersWhileScanning = false
    public var answerDelay = SimulatedDuration.microseconds(500)
    public var resetDelay = SimulatedDuration.milliseconds(20)
    public var reportDelay = SimulatedDuration.microseconds(300)
    /// The maximum number of reports that wait for the host; more are lost.
    public var reportLimit = 64

    public init() {}
}
