/// The sections of the configuration, in the order in which they are written.
public enum ConfigurationSection: UInt8, BitwiseCopyable, Sendable {
    case agent, radio, herald, encounters, log, sync, snoop

    static var all: Numbered<ConfigurationSection> { Numbered() }

    public var name: StaticString {
        switch self {
        case .agent: "agent"
        case .radio: "radio"
        case .herald: "herald"
        case .encounters: "encounters"
        case .log: "log"
        case .sync: "sync"
        case .snoop: "snoop"
        }
    }

    init?(named name: Span<UInt8>) {
        for section in Self.all where name.isEqual(to: section.name) {
            self = section
            return
        }
        return nil
    }
}

/// The cases of an enumeration whose raw values count from 0. (`CaseIterable` would need an array.)
public struct Numbered<Case: RawRepresentable<UInt8>>: Sequence, IteratorProtocol {
    private var rawValue: UInt8 = 0

    public mutating func next() -> Case? {
        defer { rawValue += 1 }
        return Case(rawValue: rawValue)
    }
}
