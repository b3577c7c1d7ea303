import BoardCommandLine
import FixedMemory

/// The findings of `tabard doctor`: prints each one, and counts faults and warnings.
struct Diagnosis {
    let isJSON: Bool
    private(set) var faultCount: UInt32 = 0
    private(set) var warningCount: UInt32 = 0
    private var isFirst = true
    private static let documentStart: StaticString =
        "{\"schema\": \"tabard-board-findings-1\", \"boardFindings\": ["

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// How bad a finding is.
    enum Level {
        case good
        /// Something could not be checked.
        case unknown
        /// The board works, but something is lost or open to others.
        case warning
        /// The board does not do its work.
        case fault

        var word: StaticString {
            switch self {
            case .good: "ok"
            case .unknown: "unknown"
            case .warning: "warning"
            case .fault: "fault"
            }
        }
    }

    /// The means against a finding.
    enum Remedy {
        case none
        case run(StaticString)
        /// Something that no command does.
        case advice(StaticString)
    }

    /// Prints one finding. `subject` is a part of the board, in one word.
    @inline(never)
    mutating func report(
        _ level: Level, _ subject: StaticString, _ remedy: Remedy = .none,
        _ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void
    ) {
        switch level {
        case .fault: faultCount += 1
        case .warning: warningCount += 1
        default: break
        }
        if isJSON {
            writeObject(level, subject, remedy, write)
        } else {
            writeText(level, subject, remedy, write)
        }
        isFirst = false
    }

    @inline(never)
    mutating func report(
        _ level: Level, _ subject: StaticString, _ words: StaticString, _ remedy: Remedy = .none
    ) {
        report(level, subject, remedy) { line throws(CapacityError) in try line.append(words) }
    }

    /// Prints what follows the last finding.
    func finish() {
        guard !isJSON else { return Output.line { line throws(CapacityError) in try line.append("]}") } }
        Output.line { line throws(CapacityError) in
            try line.append(decimal: faultCount)
            try line.append(faultCount == 1 ? " fault, " : " faults, " as StaticString)
            try line.append(decimal: warningCount)
            try line.append(warningCount == 1 ? " warning" : " warnings" as StaticString)
        }
    }

    private func writeText(
        _ level: Level, _ subject: StaticString, _ remedy: Remedy,
        _ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void
    ) {
        Output.line { line throws(CapacityError) in
            try Self.append(level.word, columns: 9, to: &line)
            try Self.append(subject, columns: 15, to: &line)
            try write(&line)
        }
        guard let (label, text) = Self.parts(remedy) else { return }
        Output.line { line throws(CapacityError) in
            try Self.append("", columns: 9, to: &line)
            try Self.append(label, columns: 15, to: &line)
            try line.append(text)
        }
    }

    private func writeObject(
        _ level: Level, _ subject: StaticString, _ remedy: Remedy,
        _ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void
    ) {
        Output.line { line throws(CapacityError) in
            try line.append(isFirst ? Self.documentStart : ",")
            try line.append("{\"level\": \"")
            try line.append(level.word)
            try line.append("\", \"subject\": \"")
            try line.append(subject)
            try line.append("\", \"finding\": \"")
            var finding = FixedBuffer<1024>()
            try write(&finding)
            try Self.append(escaping: finding.span, to: &line)
            try line.append("\"")
            if let (label, text) = Self.parts(remedy) {
                try line.append(", \"")
                try line.append(label)
                try line.append("\": \"")
                var remedy = FixedBuffer<1024>()
                try remedy.append(text)
                try Self.append(escaping: remedy.span, to: &line)
                try line.append("\"")
            }
            try line.append("}")
        }
    }

    /// The name of a remedy, and its text.
    private static func parts(_ remedy: Remedy) -> (StaticString, StaticString)? {
        switch remedy {
        case .none: nil
        case .run(let command): ("run", command)
        case .advice(let text): ("advice", text)
        }
    }

    @inline(never)
    private static func append(
        _ word: StaticString, columns: Int, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        try line.append(word)
        for _ in word.utf8CodeUnitCount..<columns { try line.append(UInt8(ascii: " ")) }
    }

    /// Writes UTF-8 as the inside of a JSON string.
    private static func append(
        escaping text: Span<UInt8>, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 {
                try line.append("\\u")
                try line.append(hex: UInt64(byte), digitCount: 4)
            } else {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { try line.append("\\") }
                try line.append(byte)
            }
        }
    }
}
