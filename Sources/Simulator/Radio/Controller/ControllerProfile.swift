import HCI

/// What kind of controller a board has: sizes, times and the maker's habits. The defaults are as strict as any that is
/// known, for what they refuse some real one refuses.
public struct ControllerProfile: Sendable {
    public var publicAddress = DeviceAddress(value: 0x0012_3456_7890, isRandom: false)
    /// HCI version: 7 is 4.1, as in a Zero W; 9 is 5.0.
    public var version: UInt8 = 7
    public var manufacturer: UInt16 = 0x000f
    public var aclPacketCount = 3
    public var aclByteCount = 27
    public var linkLimit = 4
    /// Scanning and advertising at once; else the second is refused (0x0C).
    public var sharesRoles = true
    /// Connectable advertising beside a link; else it is refused (0x0C).
    public var isConnectableBesideLinks = true
    /// Reports in one event, at most: what it has heard waits for so long until there are as many.
    public var reportsPerEvent = 1
    public var reportHold = SimulatedDuration.milliseconds(100)
    /// Calls every second address one of an identity that it has resolved: types 2 and 3 for 0 and 1.
    public var resolvesAddresses = false
    /// Knows the extended commands for scanning, advertising and connecting, with a single advertising set.
    public var hasExtendedCommands = false
    /// New advertising data while advertising, which the specification allows and some refuse (0x0C).
    public var takesDataWhileAdvertising = false
    /// Ending what is not going on, a scan or advertising, else is fine; some refuse it (0x0C).
    public var refusesSecondDisable = false
    /// A scan or advertising is begun only when parameters were set since the last reset; else that is refused (0x12).
    public var wantsParametersFirst = false
    public var answerDelay = SimulatedDuration.microseconds(500)
    public var resetDelay = SimulatedDuration.milliseconds(20)
    public var reportDelay = SimulatedDuration.microseconds(300)
    /// Reports waiting for the host; what comes beyond is lost.
    public var reportLimit = 64

    public init() {}
}
