import ArgumentParser
import Authority
import CommandLineText
import Foundation
import QRCodes
import Reports

/// The output format of payloads.
struct PayloadOutput: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Also print the QR code, for a terminal with light text on dark.")
    var qr = false

    @Flag(help: "With --qr: invert it, for dark text on light and for paper.")
    var inverted = false

    @Option(
        help: ArgumentHelp(
            "Write the QR code as SVG; - writes only the SVG to standard output.",
            valueName: "file"), completion: .file())
    var svg: String?

    func validate() throws {
        if inverted, !qr { throw ValidationError("--inverted needs --qr") }
        if json, qr {
            throw ValidationError("--json and --qr cannot both be given; the JSON has the text of the code")
        }
        if svg == "-", json || qr { throw ValidationError("--svg - cannot be combined with --json or --qr") }
    }

    /// - Parameter caption: lines below the drawing.
    func show(_ payloads: [[UInt8]], caption: [String] = []) throws(Failure) {
        if let svg {
            guard let payload = payloads.first, payloads.count == 1 else {
                throw Failure(
                    .usage, "\(payloads.count) payloads match, but an SVG has one; narrow the selection")
            }
            try OutputFile.write(Data(QRPoster(code(of: payload), caption: caption).svg().utf8), to: svg)
            guard svg != "-" else { return }
        }
        let documents = payloads.map(HeraldPayloadDocument.init)
        if json {
            do { return Console.write(try HeraldPayloadDocument.json(documents)) } catch {
                throw Failure(.data, "cannot write the payload as JSON: \(error)")
            }
        }
        for (index, document) in documents.enumerated() {
            Console.print((index == 0 ? "" : "\n") + document.text)
            if qr {
                Console.print("\n" + (try code(of: payloads[index]).text(isInverted: inverted)).dropLast())
            }
        }
    }

    private func code(of payload: [UInt8]) throws(Failure) -> QRCode {
        do throws(QRCodeError) { return try QRCode(HeraldPayloadText.uri(of: payload)) } catch {
            throw Failure(.data, "cannot make a QR code of this payload: \(error)")
        }
    }
}
