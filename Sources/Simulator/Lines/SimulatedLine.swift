import FlashSimulator

/// The serial line between a board and whoever fetches its log. Both ends may look at it at any time.
///
/// # Fault model
///
/// | what | how | why the agent must live with it |
/// |---|---|---|
/// | any split | a read gives any number of the bytes that have come, a write takes any number of those offered, also none | descriptors promise no more |
/// | loss | single bytes are missing, either way | UARTs without flow control |
/// | corruption | single bytes arrive as others | the same; a wrong baud rate |
/// | hang-up | nobody at the other end: bytes are taken and lost, or wait in a buffer, which fills, for whoever comes next | cables are pulled in the middle of a frame |
/// | port gone | the device goes with the cable, and what was in its buffers, either way: a read gives nothing, a write takes nothing, and nobody at the other end can open it until it is back. The board opens it anew, which its port does itself (`LinuxSerialPort`, once a second); the rest of a frame that was being written goes to whoever comes next | a USB gadget's tty is hung up when its cable goes |
/// | silence | nothing moves, and the buffer fills | a host that is suspended |
///
/// Bytes never overtake each other and none is made up.
public final class SimulatedLine {
    /// Whether the board has a port at all.
    public var isOpen = true
    public var faults = LineFaults() {
        didSet {
            guard faults.isHungUp && !oldValue.isHungUp || faults.isGone && !oldValue.isGone else { return }
            toBoard = []
            fromBoard = []
        }
    }
    public private(set) var toBoard: [UInt8] = []
    public private(set) var fromBoard: [UInt8] = []
    /// Decides what the faults leave open.
    public var random = RandomStream(seed: 0)
    /// Called when bytes for the board have come, so that it wakes.
    var onInput: () -> Void = {}
    /// Called when the board has written.
    var onOutput: () -> Void = {}

    /// As a pseudo-terminal or a driver keeps.
    private static let bufferByteCount = 4_096
    /// How often the board has read or written something.
    private(set) var movedCount = 0

    public init() {}

    // MARK: The other end

    public func send(_ bytes: [UInt8]) {
        guard !faults.isHungUp, !faults.isLeft, !faults.isGone else { return }
        toBoard += carried(bytes).prefix(Self.bufferByteCount - min(Self.bufferByteCount, toBoard.count))
        onInput()
    }

    /// What the board has written since the last time.
    public func takeOutput() -> [UInt8] {
        guard !faults.isSilent, !faults.isLeft else { return [] }
        defer { fromBoard = [] }
        return fromBoard
    }

    // MARK: The board's end

    func read(atMost room: Int) -> [UInt8] {
        guard isOpen, !faults.isSilent, !toBoard.isEmpty else { return [] }
        movedCount += 1
        let part = Array(toBoard.prefix(piece(of: min(room, toBoard.count))))
        toBoard.removeFirst(part.count)
        return part
    }

    /// - Returns: how many of the bytes the line takes.
    func write(_ bytes: [UInt8]) -> Int {
        guard isOpen, !faults.isGone else { return 0 }
        let count = piece(of: min(bytes.count, Self.bufferByteCount - fromBoard.count))
        guard count > 0 else { return 0 }
        movedCount += 1
        if !faults.isHungUp { fromBoard += carried(bytes[..<count]) }
        onOutput()
        return count
    }

    // MARK: -

    private func piece(of count: Int) -> Int {
        guard faults.longestPiece > 0 else { return count }
        return min(count, Int(random.below(UInt64(faults.longestPiece) + 1)))
    }

    private func carried(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        guard faults.bytesPerLoss > 0 || faults.bytesPerCorruption > 0 else { return Array(bytes) }
        return bytes.compactMap { byte in
            if faults.bytesPerLoss > 0, random.below(UInt64(faults.bytesPerLoss)) == 0 { return nil }
            guard faults.bytesPerCorruption > 0, random.below(UInt64(faults.bytesPerCorruption)) == 0 else {
                return byte
            }
            return byte ^ UInt8(1 + random.below(255))
        }
    }
}
