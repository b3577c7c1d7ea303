import CLinux
import FixedMemory
import LinuxPlatform

/// Lines on standard output and standard error.
package enum Output {
    /// The errno value of a failed write to standard output; 0 if all writes succeeded.
    nonisolated(unsafe) private static var lostError: Int32 = 0

    /// Returns the exit code of a command that ended with `code`. Incomplete output makes a success a
    /// failure.
    package static func exitCode(after code: Int32) -> Int32 {
        guard code == ExitCode.success, lostError != 0 else { return code }
        error { line throws(CapacityError) in
            try line.append("standard output", systemError: lostError)
            try line.append("; the output is incomplete")
        }
        return ExitCode.inputOutput
    }

    @inline(never)
    package static func line(_ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void) {
        var line = FixedBuffer<1024>()
        // A line that is too long is truncated; every line of this program fits.
        try? write(&line)
        try? line.append(UInt8(ascii: "\n"))
        self.write(line.span, to: 1)
    }

    /// Writes one line: what is wrong, where, and what to do.
    @inline(never)
    package static func error(_ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void) {
        var line = FixedBuffer<1024>()
        try? write(&line)
        StandardError.write(line.span)
    }

    @inline(never)
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) {
        var offset = 0
        while offset < bytes.count {
            let rest = bytes.extracting(offset..<bytes.count)
            let count = rest.withUnsafeBytes { clinux_write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 {
                if descriptor == 1 { lostError = Int32(truncatingIfNeeded: -count) }
                return
            }
            offset += Int(count)
        }
    }
}
