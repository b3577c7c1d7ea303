/// A value that is encoded as null if it is unknown, so that a document always contains every key. Encoders
/// omit plain optionals that are nil.
@propertyWrapper
public struct NullIfUnknown<Value: Encodable & Sendable>: Encodable, Sendable {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}
