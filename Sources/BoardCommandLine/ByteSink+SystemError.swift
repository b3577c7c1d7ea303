import CLinux
import FixedMemory

extension ByteSink where Self: ~Copyable {
    /// Appends the usual text for an error number, or the number. Out of line, to keep the image small.
    @inline(never)
    package mutating func append(systemError number: Int32) throws(CapacityError) {
        guard let text = clinux_error_text(number) else {
            try append("error ")
            return try append(decimal: number)
        }
        try append(cString: text)
    }

    /// Appends what failed, a colon, and the system's text for the error number. Out of line, to keep the
    /// image small.
    @inline(never)
    package mutating func append(_ failure: StaticString, systemError number: Int32) throws(CapacityError) {
        try append(failure)
        try append(": ")
        try append(systemError: number)
    }
}
