import BoardCommandLine
import Configuration
import FixedMemory
import LinuxPlatform

/// A card with the log and the keys of another board: one that was written from that board's image, or that
/// was moved.
enum CopiedCard {
    /// Moves the files of another board out of the way. Two boards with one log would destroy each other's
    /// evidence in an archive, and two with one identity are one device to every phone.
    /// - Returns: whether there were any. The configuration must then be read anew.
    static func moveAway(_ configuration: AgentConfiguration) throws(StartFailure) -> Bool {
        guard let path = configuration.machineFile else { return false }
        let binding = MachineBinding(path: path)
        let other: MachineBinding.OtherMachine?
        do throws(SystemError) { other = try binding.check() } catch { throw .machine(error.number) }
        guard let other else { return false }
        // A device has no other name.
        guard !configuration.isLogOnDevice else { throw .foreignLog }
        do throws(SystemError) {
            try rename(configuration.log.path, of: other)
            try rename(configuration.keysFile, of: other)
            try rename(configuration.herald.secret, of: other)
            try rename(configuration.file(besideKeysWith: ".covid-tracer"), of: other)
            try rename(configuration.file(besideKeysWith: ".sonar"), of: other)
            try rename(configuration.changesFile, of: other)
            try binding.store()
            Output.error { line throws(CapacityError) in
                try line.append(
                    "this card has the log and keys of another board, whose image it was written ")
                try line.append("from; they are kept with .from-")
                try line.append(other.digits.span)
                try line.append(" behind their names, and this board begins anew")
            }
            return true
        } catch {
            throw .machine(error.number)
        }
    }

    private static func rename(
        _ path: FixedText<256>?, of machine: MachineBinding.OtherMachine
    ) throws(SystemError) {
        if let path { try MachineBinding.rename(path, of: machine) }
    }
}
