import Agent
import BoardCommandLine
import CLinux
import Configuration
import Cryptography
import DeviceSync
import FixedMemory
import LinuxPlatform

/// The public halves of owner key and operator key, which `tabard setup` gives the board.
struct SetupKeys {
    private let ownerKey: P256PublicKey?
    private let operatorKey: P256PublicKey?

    var isEmpty: Bool { ownerKey == nil && operatorKey == nil }

    /// Reads the files that the options name; nil after an error that it has reported.
    init?(ownerFile: Argument?, operatorFile: Argument?, exitCode: inout Int32) {
        guard (ownerFile == nil) == (operatorFile == nil) else {
            exitCode = ExitCode.usage
            Output.error { line throws(CapacityError) in
                try line.append("setup: a board needs both keys; give --opening and --operator")
            }
            return nil
        }
        ownerKey = Self.read(ownerFile, &exitCode)
        operatorKey = Self.read(operatorFile, &exitCode)
        guard exitCode == ExitCode.success else { return nil }
    }

    private static func read(_ path: Argument?, _ exitCode: inout Int32) -> P256PublicKey? {
        guard let path else { return nil }
        do throws(PublicKeyFile.Failure) {
            return try PublicKeyFile.read(path)
        } catch {
            exitCode = ExitCode.data
            Output.error { line throws(CapacityError) in
                try line.append(path.span)
                try line.append(": ")
                if case .system(let number) = error {
                    exitCode = number == CLINUX_EACCES ? ExitCode.permission : ExitCode.noInput
                    return try line.append(error.words, systemError: number)
                }
                try line.append(error.words)
            }
            return nil
        }
    }

    /// Puts the keys into the board's key file, which is made if it is not there.
    /// - Returns: the exit code.
    func store(_ configuration: AgentConfiguration) -> Int32 {
        guard let ownerKey, let operatorKey, let path = configuration.keysFile else {
            return ExitCode.success
        }
        let file = BoardKeyFile(path: path)
        do throws(BoardKeyFileError) {
            var keys = try file.load(entropy: .system)
            if let present = keys.publicHalves.operatorKey {
                if present == operatorKey, keys.publicHalves.ownerKey == ownerKey { return ExitCode.success }
                report(path, "has other keys; its operator gives it new ones with tabardctl provision")
                return ExitCode.permission
            }
            keys.publicHalves.ownerKey = ownerKey
            keys.publicHalves.operatorKey = operatorKey
            try file.store(keys)
        } catch {
            switch error {
            case .cannotOpen(let number), .cannotRead(let number), .cannotMake(let number):
                Output.error { line throws(CapacityError) in
                    try line.append(path.span)
                    try line.append("", systemError: number)
                    try line.append("; run it as root, after the package tabard has been installed")
                }
                return number == CLINUX_EACCES ? ExitCode.permission : ExitCode.inputOutput
            case .notPrivate, .record, .noKey:
                report(path, "damaged, or others can read it; move it away, and run setup again")
                return ExitCode.data
            }
        }
        // The agent has a user of its own.
        _ = path.withCString { clinux_own_as_folder($0) }
        Output.line { line throws(CapacityError) in
            try line.append(path.span)
            try line.append(": keys of owner ")
            try Self.write(ownerKey.fingerprint, to: &line)
            try line.append(" and operator ")
            try Self.write(operatorKey.fingerprint, to: &line)
        }
        return ExitCode.success
    }

    /// Groups of four digits, as `tabardctl keys show` prints them.
    private static func write(
        _ fingerprint: Bytes<16>, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        for group in 0..<8 {
            if group > 0 { try line.append(":") }
            try line.append(hex: fingerprint.span.extracting(2 * group..<2 * group + 2))
        }
    }

    private func report(_ path: FixedText<256>, _ words: StaticString) {
        Output.error { line throws(CapacityError) in
            try line.append(path.span)
            try line.append(": ")
            try line.append(words)
        }
    }
}
