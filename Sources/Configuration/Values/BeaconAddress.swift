import FixedMemory

/// The address under which a beacon sends.
public enum BeaconAddress: BitwiseCopyable, Equatable, Sendable {
    /// The controller's own address.
    case ofController
    case staticRandom(StaticRandomAddress)

    private static var word: StaticString { "public" }

    /// Parses the word "public", or a static random address.
    public init(parsing text: Span<UInt8>) throws(ConfigurationProblem) {
        if text.isEqual(to: Self.word) {
            self = .ofController
        } else {
            self = .staticRandom(try StaticRandomAddress(parsing: text))
        }
    }

    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .ofController: try sink.append(Self.word)
        case .staticRandom(let address): try address.write(to: &sink)
        }
    }
}

extension BeaconAddress: TextualField {
    init(parsing text: FixedText<256>) throws(ConfigurationProblem) { try self.init(parsing: text.span) }

    func writeText(to sink: inout FixedBuffer<1024>) throws(CapacityError) { try write(to: &sink) }
}
