import Agent
import CLinux
import FixedMemory

/// Signals in, lines on standard error out.
public struct LinuxBoard: BoardControl, Sendable {
    private let signals: Int32

    public init(readiness: Readiness) throws(SystemError) {
        signals = try SystemError.check(clinux_signal_descriptor())
        try readiness.add(signals)
    }

    /// SIGTERM, SIGINT or SIGHUP has come.
    public var isStopRequested: Bool { clinux_read_signal(signals) > 0 }

    public mutating func setRadioPower(_ isOn: Bool) -> Bool { false }

    public mutating func log(_ line: Span<UInt8>) { StandardError.write(line) }
}

/// Whole lines, each in one write, so that they never mix with others'.
public enum StandardError {
    public static func write(_ line: Span<UInt8>) {
        var text = FixedBuffer<1100>()
        try? text.append("tabard: ")
        try? text.append(line)
        try? text.append(UInt8(ascii: "\n"))
        text.span.withUnsafeBufferPointer { _ = clinux_write(2, $0.baseAddress, $0.count) }
    }
}
