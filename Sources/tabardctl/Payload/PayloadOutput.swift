import ArgumentParser
import Authority
import CommandLineText
import Foundation
import QRCodes
import Reports

/// How payloads are shown.
struct PayloadOutput: ParsableArguments {
    @Flag(help: "Print JSON, an array, instead of lines.")
    var json = false

    @Flag(help: "Print the QR code as well, for a terminal that is light on dark.")
    var qr = false

    @Flag(help: "With --qr: the other way round, for a terminal that is dark on light, and for paper.")
    var inverted = false

    @Option(
        help: ArgumentHelp(
            "Write the QR code as a drawing (SVG) to print at any size; \"-\": to standard output, and nothing else.",
            valueName: "file"))
    var svg: String?

    func validate() throws {
        if inverted, !qr { throw ValidationError("--inverted says how --qr is printed; add --qr") }
        if json, qr {
            throw ValidationError("--json and --qr cannot both be given; the JSON has the code's text")
        }
        if svg == "-", json || qr { throw ValidationError("--svg - prints nothing but the drawing") }
    }

    /// - Parameter caption: lines below the drawing.
    func show(_ payloads: [[UInt8]], caption: [String] = []) throws(Failure) {
        if let svg {
            guard let payload = payloads.first, payloads.count == 1 else {
                throw Failure(.usage, "there are \(payloads.count) payloads, and a drawing has one")
            }
            try OutputFile.write(Data(QRPoster(code(of: payload), caption: caption).svg().utf8), to: svg)
            guard svg != "-" else { return }
        }
        let documents = payloads.map(HeraldPayloadDocument.init)
        if json {
            do { return Console.write(try HeraldPayloadDocument.json(documents)) } catch {
                throw Failure(.data, "the payload cannot be written as JSON: \(error)")
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
            throw Failure(.data, "there is no QR code for this payload: \(error)")
        }
    }
}
