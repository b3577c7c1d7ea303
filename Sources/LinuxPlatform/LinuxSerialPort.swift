import Agent
import CLinux
import Configuration
import FixedMemory

/// The sync line: a serial device, or a pseudo-terminal that the agent makes and links to. If a device is not
/// there yet, or vanishes (a pulled cable), the port tries to open it each second.
public struct LinuxSerialPort: SerialPort, ~Copyable {
    private let name: SyncPortName
    private let baud: UInt32
    private let readiness: Readiness
    private let clock = LinuxClock()
    private var descriptor: Int32 = -1
    /// The other side of the pseudo-terminal, kept open so that the agent's side does not hang up without a
    /// client.
    private var otherSide: Int32 = -1
    /// Whether the agent made the link and must remove it. It does not remove a file that was there before.
    private var hasLink = false
    private var wantsToWrite = false
    private var nextAttempt = Instant.start

    public init(_ name: SyncPortName, baud: UInt32, readiness: Readiness) throws(SystemError) {
        self.name = name
        isOpen = name != .off
        self.baud = baud
        self.readiness = readiness
        do throws(SystemError) { try open() } catch {
            guard case .device = name, error.number == CLINUX_ENOENT else { throw error }
        }
    }

    public let isOpen: Bool
    /// Whether the port waits for its device.
    public var isWaiting: Bool { isOpen && descriptor < 0 }
    public private(set) var hangUpCount: UInt32 = 0

    private mutating func open() throws(SystemError) {
        do throws(SystemError) { try openName() } catch {
            closeDescriptors()
            throw error
        }
    }

    private mutating func openName() throws(SystemError) {
        switch name {
        case .off: return
        case .device(let path):
            let baud = baud
            descriptor = try SystemError.check(path.withCString { clinux_serial_open($0, baud, 0) })
        case .pseudoTerminal(let link):
            var path = InlineArray<64, CChar>(repeating: 0)
            var other: Int32 = -1
            var span = path.mutableSpan
            descriptor = try SystemError.check(
                span.withUnsafeMutableBufferPointer {
                    clinux_pseudo_terminal($0.baseAddress, $0.count, &other)
                })
            otherSide = other
            let status = path.span.withUnsafeBufferPointer { target in
                link.withCString { clinux_link(target.baseAddress, $0) }
            }
            try SystemError.check(status)
            hasLink = true
        }
        try readiness.add(descriptor)
    }

    public var hasInput: Bool {
        mutating get { isUsable() && clinux_has_input(descriptor) }
    }

    public mutating func read(into buffer: inout FixedBuffer<512>) {
        guard isUsable() else { return }
        var bytes = InlineArray<512, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        let room = buffer.freeCount
        let count = span.withUnsafeMutableBytes { clinux_read(descriptor, $0.baseAddress, room) }
        if count > 0 {
            try? buffer.append(bytes.span.extracting(0..<Int(count)))
        } else if count != -Int64(CLINUX_EAGAIN) {
            close()
        }
    }

    public mutating func write(_ bytes: Span<UInt8>) -> Int {
        guard isUsable() else { return 0 }
        let count = bytes.withUnsafeBytes { clinux_write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, count != -Int64(CLINUX_EAGAIN) {
            close()
            return 0
        }
        let isFull = count < Int64(bytes.count)
        if isFull != wantsToWrite {
            wantsToWrite = isFull
            readiness.setWantsToWrite(isFull, descriptor)
        }
        return max(0, Int(truncatingIfNeeded: count))
    }

    private mutating func isUsable() -> Bool {
        if descriptor >= 0 { return true }
        let now = clock.now
        guard isOpen, now >= nextAttempt else { return false }
        nextAttempt = now + .seconds(1)
        do throws(SystemError) { try open() } catch { return false }
        return descriptor >= 0
    }

    private mutating func close() {
        hangUpCount &+= 1
        closeDescriptors()
        nextAttempt = clock.now + .seconds(1)
    }

    private mutating func closeDescriptors() {
        if descriptor >= 0 { _ = clinux_close(descriptor) }
        if otherSide >= 0 { _ = clinux_close(otherSide) }
        descriptor = -1
        otherSide = -1
        wantsToWrite = false
    }

    deinit {
        if descriptor >= 0 { _ = clinux_close(descriptor) }
        if otherSide >= 0 { _ = clinux_close(otherSide) }
        if hasLink, case .pseudoTerminal(let link) = name { _ = link.withCString { clinux_unlink($0) } }
    }
}
