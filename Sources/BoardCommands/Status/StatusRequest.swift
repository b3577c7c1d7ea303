import BoardCommandLine
import CLinux
import DeviceSync
import FixedMemory
import LinuxPlatform

/// The question for the running agent's status (docs/service.md).
enum StatusRequest {
    private static let timeoutMilliseconds: Int32 = 5_000
    private static let socket: StaticString = "/run/tabard/status"

    /// The socket of the agent that is a service.
    static var standardSocket: UnsafePointer<CChar> { socket.cString }

    enum Failure: Error {
        /// The errno value; CLINUX_ETIMEDOUT if the agent does not answer within five seconds.
        case system(Int32)
        /// The answer is not a board's status.
        case strange
    }

    static func send(to path: UnsafePointer<CChar>) throws(Failure) -> BoardStatus {
        guard var answer = try? FixedArray<UInt8>(zeroed: SMPPacket.capacity) else {
            throw .system(Int32(CLINUX_ENOMEM))
        }
        let count = answer.withUnsafeMutableBytes(in: 0..<answer.count) {
            clinux_ask(path, nil, 0, $0.baseAddress, $0.count, timeoutMilliseconds)
        }
        guard count >= 0 else { throw .system(Int32(truncatingIfNeeded: -count)) }
        do throws(SyncResponseError) {
            let frame = answer.span.extracting(0..<Int(count))
            // The agent answers as it does over the cable, so the answer has the header of this request.
            return try SyncResponse(frame, to: SyncRequest.boardStatus(sequence: 0)).boardStatus()
        } catch {
            throw .strange
        }
    }
}
