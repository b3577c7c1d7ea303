import BoardCommandLine
import CLinux
import DeviceSync
import FixedMemory

/// The command `tabard status`: asks the running agent for the board's status, and prints it.
enum StatusCommand {
    private static let standardSocket: StaticString = "/run/tabard/status"
    private static let timeoutMilliseconds: Int32 = 5_000

    static func run(_ arguments: inout Arguments) -> Int32 {
        let isJSON = arguments.takeFlag("--json", pairs: isOption)
        var path = UnsafeRawPointer(standardSocket.utf8Start).assumingMemoryBound(to: CChar.self)
        while let word = arguments.next() {
            guard isOption(word), let value = arguments.next() else {
                Output.error { line throws(CapacityError) in
                    try line.append("status: ")
                    try line.append(word.span)
                    try line.append(
                        ": not an option with its value; write tabard status [--json] [--socket PATH]")
                }
                return ExitCode.usage
            }
            path = value.pointer
        }
        guard var answer = try? FixedArray<UInt8>(zeroed: SMPPacket.capacity) else {
            return ExitCode.tryAgain
        }
        let count = answer.withUnsafeMutableBytes(in: 0..<answer.count) {
            clinux_ask(path, $0.baseAddress, $0.count, timeoutMilliseconds)
        }
        guard count >= 0 else { return fail(path, Int32(truncatingIfNeeded: -count)) }
        do throws(SyncResponseError) {
            let frame = answer.span.extracting(0..<Int(count))
            // The agent answers as it does over the cable, so the answer has the header of this request.
            let response = try SyncResponse(frame, to: SyncRequest.boardStatus(sequence: 0))
            write(try response.boardStatus(), isJSON: isJSON)
            return ExitCode.success
        } catch {
            Output.error { line throws(CapacityError) in
                try line.append(cString: path)
                try line.append(": the answer is not a board's status; give the agent's socket with --socket")
            }
            return ExitCode.data
        }
    }

    @inline(never)
    private static func isOption(_ word: Argument) -> Bool { word == "--socket" }

    private static func write(_ status: BoardStatus, isJSON: Bool) {
        if isJSON { StatusDocument.write(status) } else { StatusText.write(status) }
    }

    private static func fail(_ path: UnsafePointer<CChar>, _ number: Int32) -> Int32 {
        Output.error { line throws(CapacityError) in
            try line.append(cString: path)
            try line.append(": no agent answers", systemError: number)
            try line.append("; look at systemctl status tabard")
        }
        return ExitCode.unavailable
    }
}
