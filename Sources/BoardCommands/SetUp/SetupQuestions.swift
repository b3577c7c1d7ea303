import BoardCommandLine
import CLinux
import Configuration
import FixedMemory

/// Asks the person at the terminal for the role and the place of a board. The present values are the answers
/// of an empty line.
enum SetupQuestions {
    private static let attempts = 5

    /// - Returns: whether all was answered, and the person agrees.
    static func ask(_ configuration: inout EffectiveConfiguration) -> Bool {
        guard ask("Role: beacon (of a venue) or wearable", .role, &configuration) else { return false }
        if configuration.values.agent.role == .beacon {
            guard ask("Venue number", .location, &configuration),
                ask("Country, ISO 3166-1 numeric", .country, &configuration),
                ask("Name of the venue, for visitors", .name, &configuration),
                ask("Area within the venue, for visitors", .area, &configuration)
            else { return false }
        } else {
            guard ask("Name of the board in its archive", .boardName, &configuration) else { return false }
        }
        write("Set the board up? yes or no: ")
        guard let answer = readLine() else { return false }
        return answer.span.isEqual(to: "yes") || answer.span.isEqual(to: "y")
    }

    private static func ask(
        _ question: StaticString, _ key: ConfigurationKey, _ configuration: inout EffectiveConfiguration
    ) -> Bool {
        for _ in 0..<attempts {
            var prompt = FixedBuffer<1024>()
            try? prompt.append(question)
            try? prompt.append(" [")
            let hasValue = (try? configuration.writeValue(of: key, to: &prompt)) ?? false
            try? prompt.append("]: ")
            Output.write(prompt.span, to: 1)
            guard let answer = readLine() else { return false }
            if answer.isEmpty, hasValue { return true }
            do throws(ConfigurationError) {
                try configuration.setLocally(key, to: answer.span)
                return true
            } catch {
                Output.line { line throws(CapacityError) in try error.write(to: &line) }
            }
        }
        return false
    }

    private static func write(_ words: StaticString) {
        var line = FixedBuffer<1024>()
        try? line.append(words)
        Output.write(line.span, to: 1)
    }

    /// Reads one line from the terminal, without its end; nil at the end of input. Of a longer line only the
    /// first 512 bytes are taken.
    private static func readLine() -> FixedBuffer<512>? {
        var line = FixedBuffer<512>()
        var byte: UInt8 = 0
        while true {
            guard clinux_read(0, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return line }
            if line.count < 512 { try? line.append(byte) }
        }
    }
}
