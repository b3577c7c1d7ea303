import FixedMemory
import Peers
import Schemes

/// Our identities in schemes other than Herald, as their phones read them. Sonar's is the broadcast value,
/// which becomes part of the answer made for each read. An empty value means that we have no identity in that
/// scheme.
public struct OwnSchemes: BitwiseCopyable, Equatable, Sendable {
    public typealias Value = FixedBuffer<108>

    /// The end of the broadcast value's validity, in seconds since 1970.
    public var sonarEndSeconds = UInt32.max
    private var values = InlineArray<3, Value>(repeating: Value())

    @inline(never)
    public init() {}

    /// The identity in a scheme that links serve; in any other scheme it is empty, and setting it does
    /// nothing.
    public subscript(scheme: SchemeID) -> Value {
        get { scheme.linkIndex.map { values[$0] } ?? Value() }
        set { if let index = scheme.linkIndex { values[index] = newValue } }
    }

    public var isEmpty: Bool { self == OwnSchemes() }

    public static func == (one: OwnSchemes, other: OwnSchemes) -> Bool {
        for index in 0..<3 where one.values[index] != other.values[index] { return false }
        return true
    }
}
