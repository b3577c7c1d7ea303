import CLinux
import Configuration
import FixedMemory
import HCI

/// Writes the packets between host and controller to a btsnoop file. It collects whole records and writes
/// them together, so that a busy radio does not cost a system call for each packet.
struct Snoop: ~Copyable {
    private var descriptor: Int32
    private var buffer: FixedArray<UInt8>
    private var count = 0

    /// Creates the file; with an empty path nothing is written.
    init(path: FixedText<256>) throws(SystemError) {
        let descriptor: Int32
        if path.isEmpty {
            descriptor = -1
        } else {
            descriptor = try SystemError.check(path.withCString { clinux_create($0) })
        }
        do throws(MemoryError) { buffer = try FixedArray(zeroed: 65_536) } catch {
            throw SystemError(number: Int32(CLINUX_ENOMEM))
        }
        self.descriptor = descriptor
        guard descriptor >= 0 else { return }
        var header = FixedBuffer<16>()
        try? Btsnoop.appendFileHeader(to: &header)
        add(header.span)
        flush()
    }

    mutating func record(_ packet: Span<UInt8>, _ direction: Btsnoop.Direction) {
        guard descriptor >= 0 else { return }
        if count + Btsnoop.recordHeaderByteCount + packet.count > buffer.count { flush() }
        var header = FixedBuffer<24>()
        try? Btsnoop.appendRecordHeader(
            for: packet, direction: direction, wallClockNanoseconds: clinux_wall_clock_nanoseconds(),
            to: &header)
        add(header.span)
        add(packet)
    }

    /// Writes the collected records. A capture must never stop the agent, so it ends when the disk is full: a
    /// record after a partial one would be unreadable.
    mutating func flush() {
        guard count > 0 else { return }
        let end = count
        count = 0
        let written = buffer.span.extracting(0..<end).withUnsafeBytes {
            clinux_write(descriptor, $0.baseAddress, $0.count)
        }
        guard written < Int64(end) else { return }
        _ = clinux_close(descriptor)
        descriptor = -1
    }

    private mutating func add(_ bytes: Span<UInt8>) {
        let start = count
        var target = buffer.mutableSpan
        target.replace(at: start, with: bytes)
        count += bytes.count
    }

    deinit { if descriptor >= 0 { _ = clinux_close(descriptor) } }
}
