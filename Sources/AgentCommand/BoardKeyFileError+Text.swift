import Agent
import CLinux
import FixedMemory
import LinuxPlatform

extension BoardKeyFileError {
    /// Describes what is wrong with the file, and what to do.
    func describe(to line: inout FixedBuffer<1024>) throws(CapacityError) {
        switch self {
        case .cannotOpen(let number):
            try line.append("cannot be opened: ")
            try line.append(cString: clinux_error_text(number))
        case .cannotRead(let number):
            try line.append("cannot be read: ")
            try line.append(cString: clinux_error_text(number))
        case .cannotMake(let number):
            try line.append("cannot be made: ")
            try line.append(cString: clinux_error_text(number))
            if number == CLINUX_ENOENT { try line.append("; make the directory first") }
        case .notPrivate:
            try line.append(
                "others may read it; if nobody has: chmod 600, or else move it away for a new key")
        case .record(.foreign):
            try line.append(
                "holds something that is not keys of ours; it was left alone. Choose another path")
        case .record(.unknownVersion(let version)):
            try line.append("is in version ")
            try line.append(decimal: UInt64(version))
            try line.append(", which this tabard cannot read; use a newer one")
        case .record(.damaged):
            try line.append(
                "is damaged; put a copy back, or move it away for a new key and provision the board again")
        case .noKey: try line.append("no key could be made; try again")
        }
    }
}
