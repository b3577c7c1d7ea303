import Archive
import ArgumentParser
import BoardHealth
import BoardLink
import CommandLineText
import Configuration
import DeviceSync
import FixedMemory
import Foundation
import LogContents
import Reports
import TextFormats

/// Looks for what keeps boards from their work, as far as it shows over the cable.
struct DoctorCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find what keeps boards from their work, and what mends it.",
        usage: "tabardctl doctor [<port> ...] [<options>]",
        discussion: """
            Examples:
              tabardctl doctor
              tabardctl doctor /dev/ttyACM0
              tabardctl doctor --json

            The command looks at this computer, and asks each board that is plugged in for its state. \
            Each finding is ok, unknown, a warning (something is lost, or open to others) or a fault (the \
            board does not do its work), with the command that mends it. It changes nothing.

            On the board, sudo tabard doctor looks deeper: at the kernel, the service and the card.

            Exit codes: 0 no fault, 69 a fault.
            """)

    @Argument(
        help: ArgumentHelp("Serial port of a board; default: all.", valueName: "port"),
        completion: ValueCompletion.port)
    var ports: [String] = []

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var output: OutputOptions
    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let listing = try output.listing()
        let computer = ComputerExamination(archive: archive)
        // Only ports that a board may be at, unless they are named.
        let paths = ports.isEmpty ? SerialPorts.candidates(matching: SerialPorts.patterns) : ports
        let examination = PortExamination(archive: archive, baud: baud, areNamed: !ports.isEmpty)
        let boards = paths.compactMap { examination.patient(at: $0, computer) }
        let here = computer.findings + (boards.isEmpty ? [Self.noBoard] : [])
        let patients = [Patient(name: nil, findings: here)] + boards
        if listing.format == .json {
            try listing.write("the findings") { try PrintedJSON.data(rows: patients) }
        } else {
            for (index, patient) in patients.enumerated() {
                if index > 0 { listing.print("") }
                listing.print(patient.text)
            }
            try listing.finish()
        }
        let faultCount = patients.reduce(0) { $0 + $1.findings.count { $0.level == .fault } }
        if faultCount > 0 { throw Failure(.unavailable, Count.text(UInt32(faultCount), "fault")) }
    }

    private static let noBoard = Finding(
        .fault, "port", "no board is plugged in",
        .advice(
            "use a cable with data lines, at the board's USB device port, and wait half a minute after power "
                + "on; tabardctl devices lists the ports"))
}
