import Agent
import CLinux
import FixedMemory

/// The two sockets on which programs on the board ask the agent: `status`, for all users, and `control`, for
/// root alone. Without a service manager there are none.
struct ServiceSockets: Sendable {
    private static let statusName: StaticString = "status"
    private static let controlName: StaticString = "control"

    private let status: Int32
    private let control: Int32
    /// Where the newest request came from.
    private var source: Int32 = -1

    init() {
        status = clinux_service_socket(Self.statusName.cString, 0o666)
        control = clinux_service_socket(Self.controlName.cString, 0o600)
    }

    /// The next request. The sender of a datagram that is none gets ``BoardAnswer/unknown``.
    mutating func takeRequest() -> BoardRequest? {
        if let datagram = take(from: control) {
            if let request = BoardRequest(control: datagram.span) { return request }
            var answer = FixedBuffer<1>()
            try? answer.append(BoardAnswer.unknown.rawValue)
            self.answer(answer.span)
        }
        // Any datagram asks for the status.
        return take(from: status) == nil ? nil : .status
    }

    func answer(_ answer: Span<UInt8>) {
        answer.withUnsafeBytes { clinux_answer(source, $0.baseAddress, $0.count) }
    }

    @inline(never)
    private mutating func take(from socket: Int32) -> FixedBuffer<16>? {
        guard socket >= 0 else { return nil }
        var bytes = Bytes<16>()
        var room = bytes.mutableSpan
        let count = room.withUnsafeMutableBytes { clinux_take_question(socket, $0.baseAddress, $0.count) }
        guard count >= 0 else { return nil }
        source = socket
        return FixedBuffer(bytes.span.extracting(0..<Int(count)))
    }
}
