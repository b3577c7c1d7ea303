import Agent
import CLinux
import FixedMemory
import LinuxPlatform

/// A question to the agent. The panel goes on while it waits for the answer.
struct Question {
    /// The agent answers within a second.
    private static let limit = Interval.seconds(5)

    private let path: SystemPath
    private var socket: Int32 = -1
    private(set) var deadline = Instant.distantFuture

    /// - Parameter path: the agent's socket.
    init(_ path: SystemPath) { self.path = path }

    var isOpen: Bool { socket >= 0 }

    /// - Returns: false if no agent takes the question.
    mutating func begin(_ request: BoardRequest, readiness: Readiness, now: Instant) -> Bool {
        end()
        let datagram = request.datagram
        socket = path.withCString { path in
            datagram.span.withUnsafeBytes { clinux_begin_question(path, $0.baseAddress, $0.count) }
        }
        guard socket >= 0 else { return false }
        deadline = now + Self.limit
        // If that fails, the answer is seen at the next wake.
        try? readiness.add(socket)
        return true
    }

    /// Takes the answer.
    /// - Returns: its length; 0 if the agent has not answered in time, and nil if it may still answer.
    mutating func takeAnswer(into bytes: inout FixedArray<UInt8>, now: Instant) -> Int? {
        let socket = socket
        let count = bytes.withUnsafeMutableBytes(in: 0..<bytes.count) {
            clinux_take_answer(socket, $0.baseAddress, $0.count)
        }
        if count == -Int64(CLINUX_EAGAIN), now < deadline { return nil }
        end()
        return count > 0 ? Int(count) : 0
    }

    private mutating func end() {
        if socket >= 0 { _ = clinux_close(socket) }
        socket = -1
        deadline = .distantFuture
    }
}
