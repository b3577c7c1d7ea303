import BoardCommandLine
import CLinux
import FixedMemory
import HCI

/// The reason why a capture could not be replayed to its end.
enum ReplayFailure: Error {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case memory
    case noPackets
    case capture(BtsnoopError)

    static func memory<Result: ~Copyable>(
        _ body: () throws(MemoryError) -> Result
    ) throws(ReplayFailure) -> Result {
        do throws(MemoryError) { return try body() } catch { throw .memory }
    }

    var exitCode: Int32 {
        switch self {
        case .cannotOpen(let number):
            number == CLINUX_EACCES || number == CLINUX_EPERM ? ExitCode.permission : ExitCode.noInput
        case .cannotRead: ExitCode.inputOutput
        case .memory: ExitCode.tryAgain
        case .capture, .noPackets: ExitCode.data
        }
    }

    func describe(to line: inout FixedBuffer<1024>, fileName: Span<UInt8>) throws(CapacityError) {
        try line.append(fileName.extracting(0..<min(fileName.count, 700)))
        try line.append(": ")
        switch self {
        case .cannotOpen(let number):
            try line.append("cannot open the file", systemError: number)
        case .cannotRead(let number):
            try line.append("cannot read the file", systemError: number)
        case .memory: try line.append("not enough memory; lower encounters.peers")
        case .noPackets: try line.append("the capture has no packets; capture again while the radio works")
        case .capture(.notBtsnoop):
            try line.append("not a btsnoop capture; convert it with 'tabardctl convert FILE'")
        case .capture(.unsupportedVersion(let version)):
            try line.append("btsnoop version ")
            try line.append(decimal: version)
            try line.append("; only version 1 is supported")
        case .capture(.unsupportedDatalink(let number)):
            try line.append("btsnoop datalink ")
            try line.append(decimal: number)
            try line.append("; only 1001 (HCI), 1002 (H4) and 2001 (Linux monitor) are supported")
        case .capture(.absurdLength(let length, let offset)):
            try line.append("damaged at byte ")
            try line.append(decimal: offset)
            try line.append(": a record claims ")
            try line.append(decimal: length)
            try line.append(" bytes; the rest was not read")
        }
    }
}
