import FixedMemory

/// Finds SMP frames in a byte stream (their format: ``SerialFrameEncoder``). Frames may arrive in pieces,
/// back to back, or among console text, which the decoder skips. It counts and drops a damaged frame, and
/// finds the next one wherever it starts.
///
/// `capacity` is the maximum frame length plus the two bytes of its checksum.
public struct SerialFrameDecoder<let capacity: Int>: ~Copyable {
    /// The number of frames found and dropped. Counters stop at their largest value.
    public struct Counters: Equatable, Sendable {
        public var frames: UInt32 = 0
        /// Frames with invalid Base64, a truncated line, a stray continuation, or more bytes than
        /// announced.
        public var malformed: UInt32 = 0
        public var checksumErrors: UInt32 = 0
        public var tooLong: UInt32 = 0

        public init() {}
    }

    private enum State {
        case text
        /// The decoder has seen the first byte of a delimiter: 06 or 04.
        case delimiter(UInt8)
        case line
    }

    public private(set) var counters = Counters()

    private var state = State.text
    @usableFromInline var storage = InlineArray<capacity, UInt8>(repeating: 0)
    /// The number of bytes in `storage`. It starts at -2 because the two bytes of the frame's length are
    /// counted but not stored.
    private var count = -2
    /// The announced length of frame and checksum.
    private var expectedCount = 0
    @usableFromInline var frameByteCount = 0
    private var isInFrame = false
    private var checksum = CRC16()
    private var group: UInt32 = 0
    private var digitCount = 0
    private var paddingCount = 0

    public init() {}

    /// The frame without its checksum; valid from when `receive` returns true until its next call.
    public var frame: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span.extracting(0..<frameByteCount) }
    }

    /// Processes bytes from `position` on until a frame is complete (true) or no bytes are left (false). It
    /// moves `position` past the bytes that it processed.
    public mutating func receive(_ bytes: Span<UInt8>, position: inout Int) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if receive(byte) { return true }
        }
        return false
    }

    /// Processes one byte; returns true if it completes a frame.
    public mutating func receive(_ byte: UInt8) -> Bool {
        frameByteCount = 0
        switch state {
        case .text:
            if byte == 6 || byte == 4 { state = .delimiter(byte) }
        case .delimiter(let first):
            receiveDelimiter(first, byte)
        case .line:
            return receiveInLine(byte)
        }
        return false
    }

    /// Discards a partial frame, because the client has disconnected.
    public mutating func reset() {
        isInFrame = false
        state = .text
    }

    private mutating func receiveDelimiter(_ first: UInt8, _ second: UInt8) {
        switch (first, second) {
        case (6, 9):
            if isInFrame { drop(.malformed) }
            begin()
        case (4, 20):
            if isInFrame {
                beginLine()
            } else {
                state = .text
            }
        case (_, 6), (_, 4): state = .delimiter(second)
        default: state = .text
        }
    }

    private mutating func receiveInLine(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A:
            state = .text
            return finishLine()
        case 0x0D:
            break
        case Base64Alphabet.padding where digitCount >= 2:
            paddingCount += 1
            receiveDigit(0)
        default:
            guard paddingCount == 0, let value = Base64Alphabet.value(byte) else {
                drop(.malformed)
                if byte == 6 || byte == 4 { state = .delimiter(byte) }
                return false
            }
            receiveDigit(value)
        }
        return false
    }

    private mutating func begin() {
        isInFrame = true
        count = -2
        expectedCount = 0
        checksum = CRC16()
        beginLine()
    }

    private mutating func beginLine() {
        state = .line
        group = 0
        digitCount = 0
        paddingCount = 0
    }

    private mutating func receiveDigit(_ value: UInt8) {
        group = group << 6 | UInt32(value)
        digitCount += 1
        guard digitCount == 4 else { return }
        digitCount = 0
        for index in 0..<3 - min(paddingCount, 2) where isInFrame {
            store(UInt8(truncatingIfNeeded: group >> UInt32(truncatingIfNeeded: 16 - 8 * index)))
        }
        group = 0
    }

    private mutating func store(_ byte: UInt8) {
        defer { count += 1 }
        switch count {
        case -2:
            expectedCount = Int(byte) << 8
        case -1:
            expectedCount |= Int(byte)
            if expectedCount > capacity { drop(.tooLong) }
        case 0..<expectedCount:
            storage[count] = byte
            checksum.update(byte)
        default:
            drop(.malformed)
        }
    }

    private mutating func finishLine() -> Bool {
        guard isInFrame else { return false }
        guard digitCount == 0 else {
            drop(.malformed)
            return false
        }
        guard count >= 0, count == expectedCount else { return false }
        isInFrame = false
        guard expectedCount >= 2 else {
            drop(.malformed)
            return false
        }
        guard checksum.value == 0 else {
            drop(.checksum)
            return false
        }
        frameByteCount = expectedCount - 2
        Self.increment(&counters.frames)
        return true
    }

    private enum Damage {
        case malformed, checksum, tooLong
    }

    private mutating func drop(_ damage: Damage) {
        isInFrame = false
        state = .text
        switch damage {
        case .malformed: Self.increment(&counters.malformed)
        case .checksum: Self.increment(&counters.checksumErrors)
        case .tooLong: Self.increment(&counters.tooLong)
        }
    }

    private static func increment(_ counter: inout UInt32) { counter = counter == .max ? .max : counter + 1 }
}
