import CLinux
import Foundation

/// The controlling side of a pseudo-terminal, pumped by a thread of its own until it is stopped.
package final class PseudoTerminal: @unchecked Sendable {
    package let path: String
    private let descriptor: Int32
    private let otherSide: Int32
    private let board: ServedBoard
    private let stopped = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var isStopping = false

    package init(serving board: ServedBoard) throws {
        var name = [CChar](repeating: 0, count: 128)
        var other: Int32 = -1
        let opened = clinux_pseudo_terminal(&name, name.count, &other)
        guard opened >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -opened) ?? .EIO) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = opened
        otherSide = other
        self.board = board
        Thread { [self] in pump() }.start()
    }

    package func stop() {
        lock.withLock { isStopping = true }
        stopped.wait()
        _ = clinux_close(descriptor)
        _ = clinux_close(otherSide)
    }

    private func pump() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !lock.withLock({ isStopping }) {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 20) > 0 else { continue }
            let count = clinux_read(descriptor, &bytes, bytes.count)
            guard count > 0 else { continue }
            send(board.answer(Array(bytes.prefix(Int(count)))))
        }
        stopped.signal()
    }

    private func send(_ answer: [UInt8]) {
        var sent = 0
        while sent < answer.count, !lock.withLock({ isStopping }) {
            let count = answer.withUnsafeBytes {
                clinux_write(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent)
            }
            if count > 0 { sent += Int(count) }
        }
    }
}
