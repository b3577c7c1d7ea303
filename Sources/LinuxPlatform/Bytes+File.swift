import CLinux
import FixedMemory

extension Bytes {
    /// Reads the first bytes of a file.
    /// - Returns: their number, or a negative error number.
    public mutating func readStart(of path: UnsafePointer<CChar>) -> Int {
        var bytes = mutableSpan
        return Int(bytes.withUnsafeMutableBufferPointer { clinux_read_start(path, $0.baseAddress, $0.count) })
    }
}
