import ArgumentParser
import Captures
import CommandLineText
import Foundation
import KeyFiles

struct ConvertCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Convert a capture of HCI packets for `tabard replay`.",
        discussion: """
            Examples:
              tabardctl convert trace.pklg
              tabardctl convert bugreport.zip --member btsnoop_hci.log \\
                  --output phone.btsnoop
              tabardctl convert capture.pcapng --output - | tabard replay -

            The command reads btsnoop, PacketLogger (.pklg), pcap and pcapng, also in gzip, and in zip files \
            such as Android's bug reports. It writes btsnoop with every HCI packet. docs/replay.md lists the \
            forms.

            If the capture is damaged, all packets before the damage are written, and the exit code is 65.
            """)

    @Argument(
        help: ArgumentHelp("Capture, or zip file with one; - is standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file; - is standard output. Default: the name of the capture, ending in .btsnoop.",
            valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The capture in a zip file, with or without its folders. Default: the only one.",
            valueName: "name"))
    var member: String?

    @Flag(help: "Overwrite an existing file.")
    var force = false

    func execute() throws(Failure) {
        let path = try outputPath()
        let file = try CaptureFile(file)
        guard !file.isSame(as: path) else {
            throw Failure(.usage, "\(path): the capture itself; give another name with --output")
        }
        var output = try ConversionOutput(path, replaces: force)
        var input = try CaptureInput(file, member: member)
        Interruption.watch()
        var conversion = CaptureConversion(of: input.entry)
        let damage = try convert(&conversion, &input, &output)
        let summary = conversion.summary
        guard summary.packetCount > 0 else {
            throw damage
                ?? Failure(
                    .data,
                    "\(input.name): no HCI packets; check that the file is whole, or capture again while the radio works"
                )
        }
        try output.finish()
        report(summary, of: input.name, in: path)
        if let damage { throw damage }
    }

    /// Returns the reason why the conversion ended before the capture; nil if it did not.
    private func convert(
        _ conversion: inout CaptureConversion, _ input: inout CaptureInput, _ output: inout ConversionOutput
    ) throws(Failure) -> Failure? {
        var isComplete = false
        while !isComplete {
            guard !Interruption.isRequested else {
                throw Failure(.tryAgain, "interrupted; run the command again")
            }
            let piece = try input.next()
            isComplete = piece.isEmpty
            if isComplete { conversion.complete() } else { conversion.append(piece) }
            while true {
                let converted: [UInt8]?
                do throws(CaptureError) { converted = try conversion.next() } catch {
                    return Failure(error, input.name)
                }
                guard let converted else { break }
                try output.write(converted)
            }
        }
        return nil
    }

    private func report(_ summary: ConversionSummary, of name: String, in path: String) {
        if summary.isCut {
            let rest =
                summary.cutByteCount > 0 ? "; its last \(summary.cutByteCount) bytes were not converted" : ""
            Console.report("\(name): ends within a record\(rest)")
        }
        if summary.untimedCount > 0 {
            Console.report("\(name): packets that got the time of the one before: \(summary.untimedCount)")
        }
        let skipped = summary.skippedCount > 0 ? ", other records skipped: \(summary.skippedCount)" : ""
        Console.report("\(path == "-" ? name : path): HCI packets: \(summary.packetCount)\(skipped)")
    }

    /// The usual endings of captures.
    private static let endings: Set = ["pklg", "pcap", "pcapng", "cap", "log", "btsnoop", "cfa", "snoop"]

    private func outputPath() throws(Failure) -> String {
        if let output { return output }
        guard file != "-" else {
            throw Failure(.usage, "the capture comes from standard input; name the result with --output")
        }
        let url = URL(filePath: file)
        let isPacked = ["gz", "zip"].contains(url.pathExtension.lowercased())
        let capture = isPacked ? url.deletingPathExtension() : url
        // Other endings are part of the name, such as that of capture.2026-11-21.gz.
        let isForm = Self.endings.contains(capture.pathExtension.lowercased())
        return (isForm ? capture.deletingPathExtension() : capture).appendingPathExtension("btsnoop")
            .relativePath
    }
}
