import FlashSimulator

/// The serial line between a board and a host that fetches its log. Both ends may access it at any time.
///
/// # Fault model
///
/// Each line gives a fault, its effect, and why the agent must cope with it.
///
/// - Any split: a read returns any number of the bytes that have arrived. A write accepts any number of the
///   offered bytes, also none. File descriptors promise no more.
/// - Loss: single bytes are missing in either direction. Some UARTs have no flow control.
/// - Corruption: single bytes arrive changed. The reason is the same, or a wrong baud rate.
/// - Hang-up: nothing is connected to the other end. Bytes are lost, or fill a buffer and wait for the next
///   host. People pull cables in the middle of a frame.
/// - Port gone: the device goes with the cable, and so do its buffers in both directions. A read returns
///   nothing, a write accepts nothing, and no host can open it until it is back. The board's port reopens
///   it by itself (`LinuxSerialPort`, once a second). The rest of a frame that was being written goes to
///   the next host. The tty of a USB gadget is hung up when its cable goes.
/// - Silence: nothing moves, and the buffer fills. A host may be suspended.
///
/// Bytes never overtake each other, and none are invented.
public final class SimulatedLine {
    /// Whether the board has a port at all.
    public var isOpen = true
    public var faults = LineFaults() {
        didSet {
            guard faults.isHungUp && !oldValue.isHungUp || faults.isGone && !oldValue.isGone else { return }
            toBoard = []
            fromBoard = []
            // Only a device that is gone shows the board that the client is.
            if faults.isGone { hangUpCount &+= 1 }
        }
    }
    private(set) var hangUpCount: UInt32 = 0
    public private(set) var toBoard: [UInt8] = []
    public private(set) var fromBoard: [UInt8] = []
    /// Makes the random decisions of the faults.
    public var random = RandomStream(seed: 0)
    /// Called when bytes for the board have arrived, so that it wakes.
    var onInput: () -> Void = {}
    /// Called when the board has written.
    var onOutput: () -> Void = {}

    /// The buffer size of a pseudo-terminal or a driver.
    private static let bufferByteCount = 4_096
    /// How often the board has read or written bytes.
    private(set) var movedCount = 0

    public init() {}

    // MARK: The host's end

    public func send(_ bytes: [UInt8]) {
        guard !faults.isHungUp, !faults.isLeft, !faults.isGone else { return }
        toBoard += carried(bytes).prefix(Self.bufferByteCount - min(Self.bufferByteCount, toBoard.count))
        onInput()
    }

    /// Takes the bytes that the board has written since the last call.
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

    /// - Returns: How many of the bytes the line accepts.
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
