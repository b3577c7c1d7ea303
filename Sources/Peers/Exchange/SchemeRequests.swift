import Schemes

/// The requests that the agent makes to a peer in the schemes other than Herald. It is not an `OptionSet`,
/// because the literals of those are arrays, and boards have none.
public struct SchemeRequests: BitwiseCopyable, Equatable, Sendable {
    /// One bit for reading an identity in each scheme, and one for writing our own.
    private var bits: UInt8 = 0

    init() {}

    private init(bits: UInt8) { self.bits = bits }

    public static func reading(_ scheme: SchemeID) -> SchemeRequests {
        SchemeRequests(bits: scheme.linkIndex.map { 1 << UInt8($0) } ?? 0)
    }

    public static func writing(_ scheme: SchemeID) -> SchemeRequests {
        SchemeRequests(bits: reading(scheme).bits << 4)
    }

    func intersects(_ other: SchemeRequests) -> Bool { bits & other.bits != 0 }

    mutating func insert(_ others: SchemeRequests) { bits |= others.bits }
}
