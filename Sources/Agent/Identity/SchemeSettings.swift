import FixedMemory
import Schemes

/// What our identities in schemes other than Herald follow from. Nil, or false: we are nobody there.
public struct SchemeSettings: BitwiseCopyable, Sendable {
    /// What the authority gave us.
    public var sonar: SonarRegistration?
    public var sonarPeriodSeconds = SonarMaker.secondsPerDay
    public var hasCovidTracer = false
    public var hasProximity = false
    public var proximityPeriodSeconds: UInt32 = 1_800
    public var hasExposure = false

    public init() {}
}
