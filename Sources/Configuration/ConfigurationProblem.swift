/// What can be wrong with a configuration. ``ConfigurationError`` adds where.
public enum ConfigurationProblem: Error, BitwiseCopyable, Equatable, Sendable {
    // The file as text.
    case byteOrderMark
    case notUTF8
    case controlCharacter

    // A line.
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
    case textNotClosed
    case escapeMalformed
    case numberMalformed
    case trailingText
    /// The command line's: not SECTION.KEY=VALUE.
    case assignmentMalformed

    // A value.
    case wrongType(found: ConfigurationValueType)
    case outOfRange(Int64)
    case numberTooLarge
    case textTooLong(byteCount: Int)
    case textHoldsControlCharacter
    case pathMissing
    case roleUnknown
    case schemeRoleUnknown
    case baudRateUnknown(Int64)
    case transport(TransportNameError)
    case syncPort(SyncPortNameError)
    case radioPower(RadioPowerNameError)
    case addressMalformed
    /// The two highest bits are not 1: the address is not of the static random kind.
    case addressNotStatic
    /// All of the random bits are 0, or all are 1.
    case addressNotRandom
    case webAddressUnsafe
    case positionMalformed

    // A setting over the cable.
    case notOverCable
    case setByCommandLine

    // Values that do not go together.
    case nothingToDo
    case addressOfWearable
    case positionOfWearable
    case periodAcrossIdentities
    case secretFileIsOther
    case keysFileIsOther
    case keysFileMissing
    case locationMissing
    case clientOfVenue
    case clientOfWearable
    case scanWindowAboveInterval
    case sampleAboveGap
    case lossWindowBelowSample
    case textsTooLong(byteCount: Int)
    case syncPortIsController
    case snoopFileIsLog
}

public enum ConfigurationValueType: UInt8, BitwiseCopyable, Sendable {
    case integer, boolean, text
}
