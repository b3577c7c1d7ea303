import BoardHealth
import BoardLink
import CommandLineText
import Configuration
import FixedMemory
import Foundation
import LogContents
import Reports
import TextFormats

/// Looks at what is behind serial ports.
struct PortExamination {
    let archive: ArchiveOptions
    let baud: UInt32
    /// Whether somebody named the ports, so that something should be there.
    let areNamed: Bool

    /// - Returns: nil for a port without a board that nobody has named.
    func patient(at path: String, _ computer: ComputerExamination) -> Patient? {
        patient(SerialPorts.probe(path, baud: baud), computer)
    }

    /// - Returns: nil likewise.
    func patient(_ probed: ProbedPort, _ computer: ComputerExamination) -> Patient? {
        let path = probed.path
        let now = computer.isClockSet ? WallClockTime.now : nil
        switch probed.finding {
        case .board(let index, let status):
            let name = computer.name(of: index.board)
            let examination = BoardExamination(
                names(path, index.board), status: status, keys: probed.keys,
                configuration: configuration(at: path),
                standing: computer.standing(of: index.board, probed.keys), now: now)
            return Patient(
                name: "\(name) at \(path)", port: path, board: index.board.hexadecimal,
                findings: examination.findings)
        case .closed(let error):
            return Patient(
                name: path, port: path,
                findings: [Finding(.fault, "port", Failure(error).message, .advice("see the message"))])
        case .silent where !areNamed, .otherServer where !areNamed: return nil
        case .silent:
            return Patient(
                name: path, port: path,
                findings: [
                    Finding(
                        .fault, "port", "nothing answers",
                        .advice(
                            "check the cable, wait half a minute after power on, and look on the board with "
                                + "sudo tabard doctor"))
                ])
        case .otherServer:
            return Patient(
                name: path, port: path,
                findings: [
                    Finding(
                        .fault, "port", "an SMP server answers, but not a Tabard board",
                        .advice("give the board's port; tabardctl devices lists the ports"))
                ])
        }
    }

    private func names(_ port: String, _ board: LogIdentity) -> BoardExamination.Names {
        var names = BoardExamination.Names(port: ShellWord.quoted(port), board: board.short)
        if baud != SerialChannel.defaultBaud { names.portOptions = " --baud \(baud)" }
        names.archiveOptions = [("--archive", archive.archive), ("--known-boards", archive.knownBoards)]
            .compactMap { option, value in value.map { " \(option) \(ShellWord.quoted($0))" } }.joined()
        return names
    }

    private func configuration(at path: String) -> AgentConfiguration? {
        guard let client = try? BoardPorts.open(path, baud: baud), let listing = try? client.configuration()
        else { return nil }
        var configuration = EffectiveConfiguration()
        guard (try? configuration.read(listing.span)) != nil else { return nil }
        return configuration.values
    }
}
