import FlashSimulator

/// The overruns of a UART without flow control in one direction, beside damage to single bytes.
///
/// Fault model. A receiver whose interrupt is late overruns its FIFO (16 or 32 bytes in a PL011). It then
/// loses that many bytes in a row, also from the packets that follow. A controller's receiver loses bytes
/// of the host in the same way. Bytes lost there, or changed in a packet's head, cost the controller its
/// synchronisation. The host gets an event or no answer, and resets.
///
/// The model does not change bits in the parameters of a command. H4 has no checksum, so the answer would
/// be the same. No host could then know that it advertises a different address than it has set.
struct StreamDamage {
    private var random: RandomStream
    /// The number of bytes that the current overrun has still to lose.
    private var bytesToLose = 0
    private var lastTime = SimulatedTime.zero

    init(_ random: RandomStream) { self.random = random }

    private static let shortestOverrun = 2
    private static let longestOverrun = 32
    /// Bytes that arrive later than this find space again.
    private static let overrunLength = SimulatedDuration.milliseconds(1)
    /// Changed bits are detectable in this many first bytes: the indicator, the opcode or handle, and a
    /// length.
    private static let tellingByteCount = 4

    /// Loses consecutive bytes of a packet where an overrun begins or continues, and returns whether it
    /// did.
    ///
    /// - Parameter byteCount: The mean number of bytes per overrun.
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

    /// Changes a bit in the head of a packet now and then, and returns whether it did.
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
