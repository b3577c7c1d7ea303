import FixedMemory

/// The sections of the configuration, in the order in which they are written.
public enum ConfigurationSection: UInt8, BitwiseCopyable, Sendable {
    case agent, radio, herald, schemes, encounters, log, keys, sync, snoop

    static var all: Numbered<ConfigurationSection> { Numbered() }

    public var name: StaticString {
        switch self {
        case .agent: "agent"
        case .radio: "radio"
        case .herald: "herald"
        case .schemes: "schemes"
        case .encounters: "encounters"
        case .log: "log"
        case .keys: "keys"
        case .sync: "sync"
        case .snoop: "snoop"
        }
    }

    init?(named name: Span<UInt8>) {
        var sections = Self.all
        while let section = sections.next() {
            guard name.isEqual(to: section.name) else { continue }
            self = section
            return
        }
        return nil
    }
}

/// Iterates over the cases of an enumeration whose raw values count from 0 without gaps. The board build has
/// no arrays, so it can use neither `CaseIterable` nor a `Sequence`, which converts to one.
struct Numbered<Case: RawRepresentable<UInt8>> {
    private var rawValue: UInt8 = 0

    mutating func next() -> Case? {
        defer { rawValue += 1 }
        return Case(rawValue: rawValue)
    }
}
