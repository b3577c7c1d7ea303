import FixedMemory
import Schemes

/// The settings for identities in schemes other than Herald. With nil or false the board has no identity
/// there.
public struct SchemeSettings: BitwiseCopyable, Sendable {
    /// The registration that Sonar's authority issued.
    public var sonar: SonarRegistration?
    public var sonarPeriodSeconds = SonarMaker.secondsPerDay
    public var hasCovidTracer = false
    public var hasProximity = false
    public var proximityPeriodSeconds: UInt32 = 1_800
    public var hasExposure = false

    public init() {}
}
