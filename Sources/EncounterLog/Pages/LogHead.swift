import FixedMemory

/// The end of a log: the end of its last page, and the chain's value there.
public struct LogHead: Equatable, BitwiseCopyable, Sendable {
    public var position: LogPosition
    public var chainValue: Bytes<16>

    public init(position: LogPosition = .start, chainValue: Bytes<16> = Bytes()) {
        self.position = position
        self.chainValue = chainValue
    }
}
