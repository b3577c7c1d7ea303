/// One record of a capture.
public struct CapturedPacket: Equatable, Sendable {
    /// Microseconds since 1970; nil if the capture has no time for the packet.
    public var unixMicroseconds: Int64?
    public var framing: Framing
    /// The captured bytes in that framing.
    public var bytes: [UInt8]
    /// The length that the packet had when it was captured; no less than that of `bytes`.
    public var originalByteCount: UInt32
    /// The number of packets that the capturing program has lost so far.
    public var droppedPacketCount: UInt32 = 0

    public enum Framing: Equatable, Sendable {
        /// An H4 packet with its indicator.
        case h4(isReceived: Bool, adapter: UInt16)
        /// A record of the Linux monitor without its header. Source: BlueZ, doc/btsnoop.txt.
        case monitor(adapter: UInt16, code: UInt16)
        /// A record of a btsnoop file, with its flags.
        case btsnoop(flags: UInt32)
    }
}
