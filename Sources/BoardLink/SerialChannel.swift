import CLinux
import FixedMemory
import Glibc

/// A serial port of this computer in raw mode, locked against other Tabard programs.
///
/// The lock is an advisory one on the open file. TIOCEXCL would outlive a killed program for as long as an
/// agent keeps its end of a pseudo-terminal open.
public final class SerialChannel: ByteChannel {
    public static let defaultBaud: UInt32 = 115_200

    public let name: String
    private let descriptor: Int32

    /// `baud` has no effect on USB and pseudo-terminals.
    public init(path: String, baud: UInt32 = defaultBaud) throws(LinkError) {
        let opened = clinux_serial_open(path, baud, 0)
        guard opened >= 0 else { throw .cannotOpen(port: path, code: -opened) }
        guard clinux_lock_file(opened) >= 0 else {
            _ = clinux_close(opened)
            throw .busy(port: path)
        }
        // Discard bytes that were sent to the port's previous user.
        tcflush(opened, TCIFLUSH)
        name = path
        descriptor = opened
    }

    public var now: Instant { .now }

    deinit { _ = clinux_close(descriptor) }

    public func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                clinux_write(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent)
            }
            if count >= 0 {
                sent += Int(count)
            } else if Self.isTemporary(count) {
                guard try wait(for: POLLOUT, timeout: timeout) else {
                    throw .noAnswer(port: name, request: "writing")
                }
            } else {
                throw failure(count)
            }
        }
    }

    public func read(timeout: Interval) throws(LinkError) -> [UInt8] {
        guard try wait(for: POLLIN, timeout: timeout) else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { clinux_read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { return Array(bytes.prefix(Int(count))) }
        if count == 0 { throw .gone(port: name) }
        if Self.isTemporary(count) { return [] }
        throw failure(count)
    }

    /// Returns false at the timeout.
    private func wait(for events: Int32, timeout: Interval) throws(LinkError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let count = poll(&entry, 1, Int32(clamping: timeout.milliseconds))
        if count == 0 { return false }
        // A signal interrupted the wait; the caller checks the time itself.
        if count < 0 { return false }
        if Int32(entry.revents) & events == 0 { throw .gone(port: name) }
        return true
    }

    private static func isTemporary(_ result: Int64) -> Bool {
        result == -Int64(EAGAIN) || result == -Int64(EINTR)
    }

    private func failure(_ result: Int64) -> LinkError {
        let code = Int32(clamping: -result)
        return [EIO, ENXIO, ENODEV, EPIPE].contains(code)
            ? .gone(port: name) : .failed(port: name, code: code)
    }
}
