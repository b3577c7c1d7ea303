/// The possible problems of a configuration. ``ConfigurationError`` adds the place.
public enum ConfigurationProblem: Error, BitwiseCopyable, Equatable, Sendable {
    // These cases concern the file as text.
    case byteOrderMark
    case notUTF8
    case controlCharacter

    // These cases concern a line.
    case sectionHeaderMalformed
    case sectionUnknown(nearest: ConfigurationSection?)
    case sectionRepeated
    case keyMalformed
    case keyDotted
    case keyOutsideSection
    case keyUnknown(nearest: ConfigurationKey?)
    case keyRepeated(firstLine: UInt32)
    case equalsSignMissing
    case valueMissing
    case valueUnsupported
    case textUnquoted
    case unterminatedText
    case escapeMalformed
    case numberMalformed
    case trailingText
    /// The command-line argument is not SECTION.KEY=VALUE.
    case assignmentMalformed

    // These cases concern a value.
    case wrongType(found: ConfigurationValueType)
    case outOfRange(Int64)
    case numberTooLarge
    case textTooLong(byteCount: Int)
    case textHoldsControlCharacter
    case pathMissing
    case roleUnknown
    case schemeRoleUnknown
    case scanDutyUnknown
    case baudRateUnknown(Int64)
    case transport(TransportNameError)
    case syncPort(SyncPortNameError)
    case radioPower(RadioPowerNameError)
    case addressMalformed
    /// The two highest bits are not 1, so the address is not a static random address.
    case addressNotStatic
    /// All of the random bits are 0, or all are 1.
    case addressNotRandom
    case webAddressUnsafe
    case positionMalformed

    // These cases concern a setting over the sync port.
    case notOverCable
    case setByCommandLine

    // These cases concern values that contradict each other.
    case nothingToDo
    case addressOfWearable
    case positionOfWearable
    case periodAcrossIdentities
    case secretFileCollides
    case keyFileCollides
    case keysFileMissing
    case locationMissing
    case clientOfVenue
    case clientOfWearable
    case scanWindowAboveInterval
    case quietScanWindowAboveInterval
    /// The duty has a scan window of its own, and the configuration sets another.
    case scanTimingOfDuty
    /// The duty is not `custom`, so the quiet scan window is not used.
    case quietScanTimingUnused
    case sampleAboveGap
    case lossWindowBelowSample
    case textsTooLong(byteCount: Int)
    case syncPortIsController
    case snoopFileIsLog
}

public enum ConfigurationValueType: UInt8, BitwiseCopyable, Sendable {
    case integer, boolean, text
}
