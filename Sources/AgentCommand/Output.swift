import CLinux
import FixedMemory
import LinuxPlatform

/// Lines on standard output and standard error.
enum Output {
    static func line(_ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void) {
        var line = FixedBuffer<1024>()
        // A line that is too long is cut; every one of ours fits.
        try? write(&line)
        try? line.append(UInt8(ascii: "\n"))
        self.write(line.span, to: 1)
    }

    /// One line: what is wrong, where, and what to do.
    static func error(_ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void) {
        var line = FixedBuffer<1024>()
        try? write(&line)
        StandardError.write(line.span)
    }

    @inline(never)
    static func write(_ bytes: Span<UInt8>, to descriptor: Int32) {
        var offset = 0
        while offset < bytes.count {
            let rest = bytes.extracting(offset..<bytes.count)
            let count = rest.withUnsafeBytes { clinux_write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            offset += Int(count)
        }
    }
}
