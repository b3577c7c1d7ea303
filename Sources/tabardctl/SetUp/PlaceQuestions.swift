import CommandLineText
import Configuration
import FixedMemory
import LogContents

/// Asks for the role and the place of a board, as far as options do not give them. The board's present values
/// are the standard answers.
struct PlaceQuestions {
    let options: PlaceOptions
    let present: PresentBoard

    func settings() throws(Failure) -> PlaceSettings {
        var settings = options.settings
        guard isOpen, Question.canAsk else { return settings }
        Console.report("\(present.port): log \(present.log.short); an empty answer takes what is in brackets")
        if options.role == nil, options.venueNumber == nil, try askRole() == .wearable {
            settings = PlaceSettings(role: .wearable)
            settings.others = options.assignments
            settings.add(.country, options.region.country)
            settings.add(.state, options.region.state)
        }
        if settings.role == .beacon { try askPlace(&settings) }
        settings.boardName = options.name ?? settings.text(of: .name)
        if settings.boardName?.isEmpty ?? true {
            settings.boardName = try Question.ask(
                "Name of the board in the archive", standard: "", check: Self.name)
        }
        if settings.boardName?.isEmpty ?? false { settings.boardName = nil }
        return settings
    }

    /// Whether the options leave out what a board needs.
    private var isOpen: Bool {
        options.name == nil || options.role != .wearable && options.venueNumber == nil
    }

    private func askRole() throws(Failure) -> BoardRole {
        let now = present.configuration.values.agent.role == .wearable ? BoardRole.wearable : .beacon
        return try Question.ask("Role: beacon (of a venue) or wearable", standard: now.rawValue) {
            answer throws(Failure) in
            guard let role = BoardRole(rawValue: answer.lowercased()) else {
                throw Failure(.usage, "answer beacon or wearable")
            }
            return role
        }
    }

    private func askPlace(_ settings: inout PlaceSettings) throws(Failure) {
        let herald = present.configuration.values.herald
        // A board without a venue has its own number instead.
        let isVenue = !options.assignments.contains { $0.hasPrefix("herald.client_id=") }
        guard isVenue else { return }
        let open: [(key: ConfigurationKey, given: String?, question: String, standard: String?)] = [
            (.location, options.venueNumber, "Venue number", herald.location.map { "\($0)" }),
            (.country, options.region.country, "Country, ISO 3166-1 numeric", "\(herald.country)"),
            (.name, options.name, "Name of the venue, for visitors", Self.text(herald.name)),
            (.area, options.area, "Area within the venue, for visitors", Self.text(herald.area)),
        ]
        for (key, given, question, standard) in open where given == nil {
            let answer = try Question.ask(question, standard: standard) { text throws(Failure) in
                try Self.checked(text, key)
            }
            settings.add(key, answer)
        }
    }

    private static func checked(_ text: String, _ key: ConfigurationKey) throws(Failure) -> String {
        var configuration = EffectiveConfiguration()
        do throws(ConfigurationError) {
            try configuration.override(key, with: Array(ConfigurationText.value(text, of: key).utf8).span)
        } catch {
            throw Failure(.usage, error.line)
        }
        return text
    }

    private static func name(_ text: String) throws(Failure) -> String {
        guard OneLineText.isPlain(text) else {
            throw Failure(.usage, "write one line, without control characters")
        }
        return text
    }

    private static func text(_ text: FixedText<256>) -> String {
        String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
