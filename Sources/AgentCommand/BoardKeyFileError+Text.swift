import Agent
import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform

extension BoardKeyFileError {
    /// Describes what is wrong with the file, and what to do.
    func describe(to line: inout FixedBuffer<1024>) throws(CapacityError) {
        switch self {
        case .cannotOpen(let number):
            try line.append("cannot open the file", systemError: number)
        case .cannotRead(let number):
            try line.append("cannot read the file", systemError: number)
        case .cannotMake(let number):
            try line.append("cannot create the file", systemError: number)
            if number == CLINUX_ENOENT { try line.append("; create the directory first") }
        case .notPrivate:
            try line.append(
                "other users can read it; run chmod 600, or move it away for a new one if somebody did")
        case .record(.foreign):
            try line.append(
                "not a Tabard key file, and not changed; choose another path")
        case .record(.unknownVersion(let version)):
            try line.append("has format version ")
            try line.append(decimal: UInt64(version))
            try line.append(", which this tabard cannot read; use a newer tabard")
        case .record(.damaged):
            try line.append(
                "damaged; restore a copy, or move it away for a new key and provision the board again")
        case .noKey: try line.append("cannot create a key; try again")
        }
    }
}
