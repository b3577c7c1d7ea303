import FixedMemory
import Peers

/// Who we are in schemes other than Herald, as their phones read it; of Sonar the broadcast value, which goes into an answer
/// that is made for each read. Empty: nobody.
public struct OwnSchemes: BitwiseCopyable, Equatable, Sendable {
    public typealias Value = FixedBuffer<108>

    private var values = InlineArray<3, Value>(repeating: Value())

    @inline(never)
    public init() {}

    public subscript(scheme: LinkScheme) -> Value {
        get { values[Int(scheme.rawValue)] }
        set { values[Int(scheme.rawValue)] = newValue }
    }

    public var isNobody: Bool { self == OwnSchemes() }

    public static func == (one: OwnSchemes, other: OwnSchemes) -> Bool {
        for index in 0..<3 where one.values[index] != other.values[index] { return false }
        return true
    }
}
