import FlashSimulator

/// What a UART without flow control does to the bytes of one direction, beside what it does to single ones.
///
/// Fault model. A receiver whose interrupt comes late overruns its FIFO (16 or 32 bytes in a PL011): as many bytes are lost in a
/// row, into the packets behind. A controller's receiver does the same with what the host sends. What is lost there, or changed
/// in a packet's first bytes, costs the controller its place in the stream; the host is told, or gets no answer, and resets. That a
/// bit changes in the parameters of a command is not in the model: H4 has no checksum, the answer is the same, and no host can
/// know that it advertises another address than it has set.
struct StreamDamage {
    private var random: RandomStream
    /// Of the overrun that is under way.
    private var bytesToLose = 0
    private var lastTime = SimulatedTime.zero

    init(_ random: RandomStream) { self.random = random }

    private static let shortestOverrun = 2
    private static let longestOverrun = 32
    /// Bytes that follow later have found room again.
    private static let overrunLength = SimulatedDuration.milliseconds(1)
    /// In so many of these bytes, the indicator, the opcode or handle and a length, changed bits show.
    private static let tellingByteCount = 4

    /// Loses bytes of a packet in a row, where an overrun begins or goes on, and says whether it did.
    /// - Parameter byteCount: in so many bytes an overrun begins once.
    mutating func overrun(_ bytes: inout [UInt8], oneIn byteCount: UInt64, at time: SimulatedTime) -> Bool {
        if time > lastTime + Self.overrunLength { bytesToLose = 0 }
        lastTime = time
        let isGoingOn = bytesToLose > 0
        if isGoingOn { lose(&bytes, from: 0) }
        guard !bytes.isEmpty, random.below(byteCount) < UInt64(bytes.count) else { return isGoingOn }
        let lengths = UInt64(Self.longestOverrun - Self.shortestOverrun + 1)
        bytesToLose = Self.shortestOverrun + Int(random.below(lengths))
        lose(&bytes, from: Int(random.below(UInt64(bytes.count))))
        return true
    }

    /// Changes a bit of what a packet begins with, now and then, and says whether it did.
    mutating func changeHead(of bytes: inout [UInt8], oneIn byteCount: UInt64) -> Bool {
        let count = min(bytes.count, Self.tellingByteCount)
        guard count > 0, random.below(byteCount) < UInt64(count) else { return false }
        bytes[Int(random.below(UInt64(count)))] ^= 1 << UInt8(random.below(8))
        return true
    }

    private mutating func lose(_ bytes: inout [UInt8], from start: Int) {
        let count = min(bytesToLose, bytes.count - start)
        bytes.removeSubrange(start..<start + count)
        bytesToLose -= count
    }
}
