import FixedMemory

extension ConfigurationProblem {
    /// Writes `what is wrong; what to do`.
    func write(
        to sink: inout some ByteSink & ~Copyable, key: ConfigurationKey?, section: ConfigurationSection?
    ) throws(CapacityError) {
        try writeWhat(to: &sink, key)
        try sink.append("; ")
        try writeRemedy(to: &sink, key, section)
    }

    private func writeWhat(to sink: inout some ByteSink & ~Copyable, _ key: ConfigurationKey?)
        throws(CapacityError)
    {
        switch self {
        case .keyRepeated(let firstLine):
            try sink.append("set twice, first on line ")
            try sink.append(decimal: firstLine)
        case .wrongType(let found):
            try sink.append("needs ")
            if let key { try sink.append(key.definition.kind.valueType.phrase) }
            try sink.append(", not ")
            try sink.append(found.phrase)
        case .outOfRange(let number):
            try sink.append(decimal: number)
            if let key, case .integer(let minimum, let maximum) = key.definition.kind {
                try sink.append(" is not from ")
                try sink.append(decimal: minimum)
                try sink.append(" to ")
                try sink.append(decimal: maximum)
            }
        case .numberTooLarge:
            try sink.append("the number is far out of range")
            if let key, case .integer(let minimum, let maximum) = key.definition.kind {
                try sink.append(" (")
                try sink.append(decimal: minimum)
                try sink.append(" to ")
                try sink.append(decimal: maximum)
                try sink.append(")")
            }
        case .textTooLong(let byteCount):
            try sink.append("the text has ")
            try sink.append(decimal: byteCount)
            try sink.append(" bytes in UTF-8, more than 255")
        case .baudRateUnknown(let number):
            try sink.append(decimal: number)
            try sink.append(" bit/s is not a serial port speed")
        case .transport(let error): try sink.append(error.explanation)
        case .syncPort(let error): try sink.append(error.explanation)
        case .radioPower(let error): try sink.append(error.explanation)
        case .textsTooLong(let byteCount):
            try sink.append("name, area, disambiguation and url together need ")
            try sink.append(decimal: byteCount)
            try sink.append(" bytes of the payload, more than 501")
        default: try sink.append(what)
        }
    }

    private var what: StaticString {
        switch self {
        case .byteOrderMark: "the file begins with a byte order mark"
        case .notUTF8: "not UTF-8"
        case .controlCharacter: "a control character"
        case .sectionHeaderMalformed: "not a section header"
        case .sectionUnknown: "no such section"
        case .sectionRepeated: "the section occurs twice"
        case .keyMalformed: "neither a section nor a key"
        case .keyDotted: "keys with dots are not supported"
        case .keyOutsideSection: "a key before the first section"
        case .keyUnknown: "no such key"
        case .equalsSignMissing: "no \"=\" after the key"
        case .valueMissing: "no value after the \"=\""
        case .valueUnsupported: "not a supported kind of value"
        case .textUnquoted: "neither a number nor true or false, and not in quotes"
        case .unterminatedText: "the text has no closing quote on its line"
        case .escapeMalformed: "a backslash that begins no escape"
        case .numberMalformed: "not a number in plain decimal digits"
        case .trailingText: "more text after the end"
        case .assignmentMalformed: "not of the form SECTION.KEY=VALUE"
        case .textHoldsControlCharacter: "a control character in the text"
        case .pathMissing: "the path is empty"
        case .roleUnknown: "no such role"
        case .schemeRoleUnknown: "not a role of a scheme"
        case .scanDutyUnknown: "no such duty"
        case .addressMalformed: "not a Bluetooth address"
        case .addressNotStatic: "not a static random address: its two highest bits are not set"
        case .addressNotRandom: "not a valid address: all the bits after the first two are the same"
        case .positionMalformed: "not a latitude from -90 to 90 and a longitude from -180 to 180"
        case .notOverCable: "names a file or device of the board, so the cable cannot set it"
        case .setByCommandLine: "set on the agent's command line, which overrides the cable"
        case .webAddressUnsafe: "does not begin with https://"
        case .nothingToDo: "neither scan nor advertise is on, so the agent would do nothing"
        case .addressOfWearable: "a wearable's address changes with its identity"
        case .positionOfWearable: "a wearable has no fixed position"
        case .periodAcrossIdentities: "all identities of a wearable change together, Herald's every 6 minutes"
        case .secretFileCollides: "the same file as log.path or snoop.file"
        case .keyFileCollides: "the same file as log.path, snoop.file or herald.secret"
        case .keysFileMissing: "log.path has no folder for it"
        case .locationMissing: "a beacon needs a location"
        case .clientOfVenue: "a fixed payload cannot have a location or texts of a venue"
        case .clientOfWearable: "a wearable's identity changes"
        case .scanWindowAboveInterval: "longer than scan_interval_milliseconds"
        case .quietScanWindowAboveInterval: "longer than quiet_scan_interval_milliseconds"
        case .scanTimingOfDuty: "radio.duty is balanced or saver, which have a scan interval and window"
        case .quietScanTimingUnused: "radio.duty is not custom, so this would not be used"
        case .sampleAboveGap: "longer than gap_seconds, so a sample could span two encounters"
        case .lossWindowBelowSample: "shorter than sample_seconds, but a power cut loses the current sample"
        case .syncPortIsController: "the serial device of the controller in radio.hci"
        case .snoopFileIsLog: "the same file as log.path"
        // writeWhat writes these cases with their associated values.
        case .keyRepeated, .wrongType, .outOfRange, .numberTooLarge, .textTooLong, .baudRateUnknown,
            .transport,
            .syncPort, .radioPower, .textsTooLong:
            ""
        }
    }

    private func writeRemedy(
        to sink: inout some ByteSink & ~Copyable, _ key: ConfigurationKey?, _ section: ConfigurationSection?
    ) throws(CapacityError) {
        switch self {
        case .sectionUnknown(let nearest?):
            try sink.append("did you mean [")
            try sink.append(nearest.name)
            try sink.append("]?")
        case .sectionUnknown(nil):
            try sink.append("the sections are")
            var sections = ConfigurationSection.all
            while let section = sections.next() {
                try sink.append(" [")
                try sink.append(section.name)
                try sink.append("]")
            }
        case .keyUnknown(let nearest?) where nearest.section == section:
            try sink.append("did you mean ")
            try sink.append(nearest.name)
            try sink.append("?")
        case .keyUnknown(let nearest?):
            try sink.append("did you mean ")
            try sink.append(nearest.name)
            try sink.append(" under [")
            try sink.append(nearest.section.name)
            try sink.append("]?")
        case .keyUnknown(nil):
            try sink.append("the keys are")
            guard let section else { return }
            var keys = ConfigurationKey.all(in: section)
            while let key = keys.next() {
                try sink.append(" ")
                try sink.append(key.name)
            }
        default:
            if let remedy { return try sink.append(remedy) }
            guard let key else { return }
            try sink.append(key.definition.remedy)
        }
    }

    /// The instruction for problems where it does not depend on the key.
    private var remedy: StaticString? {
        switch self {
        case .byteOrderMark: "save the file as plain UTF-8"
        case .notUTF8: "write it in UTF-8"
        case .controlCharacter: "only tabs and line ends are allowed"
        case .sectionHeaderMalformed: "write [section] on a line of its own"
        case .sectionRepeated: "put all its keys in one section"
        case .keyMalformed: "write [section] or key = value"
        case .keyDotted: "write the [section] on a line of its own and key = value below it"
        case .keyOutsideSection: "write its [section] on a line above it"
        case .keyRepeated: "remove one of the two"
        case .equalsSignMissing: "write key = value"
        case .valueUnsupported: "write a text on one line, a whole number, true or false"
        case .textUnquoted: "put texts in double quotes; write true and false in lower case"
        case .unterminatedText: "close it with the same quote"
        case .escapeMalformed: "write \\\\ for a backslash, or put the text in single quotes"
        case .numberMalformed: "write digits without leading zeros, with an optional sign"
        case .trailingText: "put one thing on a line, and \"#\" before a comment"
        case .assignmentMalformed: "write for example radio.scan=false"
        case .textHoldsControlCharacter: "remove it"
        case .notOverCable: "set it in the board's configuration file"
        case .setByCommandLine: "remove it there"
        case .nothingToDo: "set radio.scan or radio.advertise to true"
        case .addressOfWearable, .positionOfWearable, .clientOfWearable: "remove it"
        case .periodAcrossIdentities: "write a multiple of 6"
        case .clientOfVenue: "remove client_id, or the venue keys"
        case .locationMissing: "set it to the registered number of the venue, or sync.port to set it later"
        case .scanWindowAboveInterval, .quietScanWindowAboveInterval: "lower it, or raise the interval"
        case .scanTimingOfDuty, .quietScanTimingUnused: "remove it, or set radio.duty to custom"
        case .sampleAboveGap: "lower it, or raise the gap"
        case .lossWindowBelowSample: "raise it, or lower sample_seconds"
        case .textsTooLong: "shorten the longest"
        case .syncPortIsController: "use a different device for each"
        case .snoopFileIsLog, .secretFileCollides, .keyFileCollides: "use a different file for each"
        default: nil
        }
    }
}

extension ConfigurationValueType {
    var phrase: StaticString {
        switch self {
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .text: "a text in quotes"
        }
    }
}
