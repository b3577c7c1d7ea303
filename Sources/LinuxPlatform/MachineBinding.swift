import CLinux
import Configuration
import Cryptography
import FixedMemory

/// The file that binds a board's log and keys to its machine. A card that was written from another card's
/// image has a copy of this file, too, so the board finds that the files are another machine's.
///
/// The file is one line: `serial` or `machine-id`, a space, and the SHA-256 of that word, a zero byte and the
/// machine's number, in 64 hexadecimal digits. The serial number is the processor's, as the device tree has
/// it. Where there is none, the number of the installed system stands in for it.
public struct MachineBinding {
    private let path: FixedText<256>

    public init(path: FixedText<256>) { self.path = path }

    /// Another machine: the first eight digits of its record.
    public struct OtherMachine {
        public let digits: FixedBuffer<8>
    }

    /// Compares the file with this machine, and makes it if it is not there, or is no such record.
    /// - Returns: the machine to which the files belong, if it is another one.
    public func check() throws(SystemError) -> OtherMachine? {
        var record = Bytes<128>()
        let count = path.withCString { record.readStart(of: $0) }
        if count != -Int(CLINUX_ENOENT) { try SystemError.check(Int64(count)) }
        let found = record.span.extracting(0..<max(count, 0))
        if let kind = Kind(of: found), let digits = found.digits(behind: kind.word) {
            // A number that cannot be read now says nothing against this machine.
            guard let own = kind.record, !found.isEqual(to: own.span) else { return nil }
            return OtherMachine(digits: digits)
        }
        try store()
        return nil
    }

    /// Binds the files to this machine. Without a number there is nothing to which they can be bound.
    public func store() throws(SystemError) {
        guard let record = Kind.serial.record ?? Kind.system.record else { return }
        let bytes = record.span
        try SystemError.check(
            path.withCString { path in
                bytes.withUnsafeBytes { clinux_make_private(path, $0.baseAddress, $0.count) }
            })
    }

    /// Gives a file of the other machine a name that says so: `.from-` and the machine's digits, and a number
    /// from 2 on if there is such a file already.
    public static func rename(_ path: FixedText<256>, of machine: OtherMachine) throws(SystemError) {
        for attempt in 1...9 as ClosedRange<UInt8> {
            var name = FixedBuffer<256>()
            do throws(CapacityError) {
                try name.append(path.span)
                try name.append(".from-")
                try name.append(machine.digits.span)
                if attempt > 1 {
                    try name.append(".")
                    try name.append(decimal: attempt)
                }
            } catch {
                throw SystemError(number: Int32(CLINUX_ENAMETOOLONG))
            }
            guard let new = FixedText<256>(name.span) else { return }
            let status = path.withCString { path in new.withCString { clinux_rename(path, $0) } }
            if status == -CLINUX_ENOENT { return }
            guard status == -CLINUX_EEXIST, attempt < 9 else { return _ = try SystemError.check(status) }
        }
    }

    private enum Kind {
        case serial
        case system

        /// The kind that a record names; nil for any other text.
        init?(of record: Span<UInt8>) {
            if record.begins(with: Kind.serial.word) {
                self = .serial
            } else if record.begins(with: Kind.system.word) {
                self = .system
            } else {
                return nil
            }
        }

        var word: StaticString {
            switch self {
            case .serial: "serial"
            case .system: "machine-id"
            }
        }

        private var file: StaticString {
            switch self {
            case .serial: "/sys/firmware/devicetree/base/serial-number"
            case .system: "/etc/machine-id"
            }
        }

        /// The file's contents for this machine; nil if it has no such number.
        var record: FixedBuffer<128>? {
            var number = Bytes<64>()
            let count = number.readStart(of: file.cString)
            guard count > 0, !number.span.extracting(0..<count).isWithoutNumber else { return nil }
            var message = FixedBuffer<128>()
            var record = FixedBuffer<128>()
            do throws(CapacityError) {
                try message.append(word)
                try message.append(UInt8(0))
                try message.append(number.span.extracting(0..<count))
                try record.append(word)
                try record.append(" ")
                let digest = SHA256.digest(of: message.span)
                try record.append(hex: digest.span)
                try record.append("\n")
            } catch {
                return nil
            }
            return record
        }
    }
}

extension Span where Element == UInt8 {
    fileprivate func begins(with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        return self.count > count && extracting(0..<count).isEqual(to: word)
            && self[count] == UInt8(ascii: " ")
    }

    /// The first eight bytes behind a word and a space; nil if there are fewer.
    fileprivate func digits(behind word: StaticString) -> FixedBuffer<8>? {
        let start = word.utf8CodeUnitCount + 1
        guard count >= start + 8 else { return nil }
        return FixedBuffer<8>(extracting(start..<start + 8))
    }

    /// Whether the text has only zeros, as the serial number of a board that was given none.
    fileprivate var isWithoutNumber: Bool {
        for index in indices where self[index] > UInt8(ascii: "0") { return false }
        return true
    }
}
