import CLinux
import FixedMemory

extension ByteSink where Self: ~Copyable {
    /// Appends the system's text for an error number. Out of line, to keep the image small.
    @inline(never)
    mutating func append(systemError number: Int32) throws(CapacityError) {
        try append(cString: clinux_error_text(number))
    }

    /// Appends what failed, a colon, and the system's text for the error number. Out of line, to keep the
    /// image small.
    @inline(never)
    mutating func append(_ failure: StaticString, systemError number: Int32) throws(CapacityError) {
        try append(failure)
        try append(": ")
        try append(systemError: number)
    }
}
