/// Something that was looked at, and how it is. `tabardctl doctor --json` prints it as an object.
public struct Finding: Sendable, Equatable, Encodable {
    /// How bad a finding is, as in `tabard doctor`.
    public enum Level: String, Sendable, Encodable {
        case ok
        /// Something could not be looked at.
        case unknown
        /// The board works, but something is lost or open to others.
        case warning
        /// The board does not do its work.
        case fault
    }

    /// The means against a finding.
    public enum Remedy: Sendable, Equatable {
        /// A command that mends it.
        case run(String)
        /// Something that no command does.
        case advice(String)
    }

    public let level: Level
    /// A part of the board, or of this computer, in one or two words.
    public let subject: String
    public let text: String
    public let remedy: Remedy?

    public init(_ level: Level, _ subject: String, _ text: String, _ remedy: Remedy? = nil) {
        self.level = level
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }

    private enum CodingKeys: String, CodingKey {
        case level, subject, finding, run, advice
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(level, forKey: .level)
        try container.encode(subject, forKey: .subject)
        try container.encode(text, forKey: .finding)
        switch remedy {
        case .run(let command): try container.encode(command, forKey: .run)
        case .advice(let text): try container.encode(text, forKey: .advice)
        case nil: break
        }
    }
}
