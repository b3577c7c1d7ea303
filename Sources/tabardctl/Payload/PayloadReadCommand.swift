import ArgumentParser
import Authority
import CommandLineText
import Schemes

struct PayloadReadCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Decode a payload of a QR code, a log or a capture.",
        discussion: """
            Examples:
              tabardctl payload read tabard:herald/1/MDoDBABA4gEA
              tabardctl payload read 303a03040040e20100100b4164616d732050697a7a61 --json

            The input is the text of a QR code, hexadecimal digits, or base64 in either alphabet. If \
            the input is valid hexadecimal, the command reads it as that.

            Exit codes: 0 a payload; 65 not a readable payload. The command prints the bytes in both \
            cases.
            """)

    @Argument(help: ArgumentHelp("Payload as QR code text, hexadecimal or base64.", valueName: "text"))
    var text: String

    @OptionGroup var output: PayloadOutput

    func execute() throws(Failure) {
        let payload: [UInt8]
        do throws(HeraldPayloadTextError) { payload = try HeraldPayloadText.bytes(of: text) } catch {
            throw Failure(.data, error.text)
        }
        try output.show([payload])
        guard (try? HeraldPayload(parsing: payload.span)) != nil else {
            throw Failure(.data, "not a complete Herald payload; check the input")
        }
    }
}

extension HeraldPayloadTextError {
    fileprivate var text: String {
        switch self {
        case .empty: "the input is empty; give a payload"
        case .otherForm:
            "not of the form tabard:herald/1/…; try a later version of tabardctl"
        case .malformed: "not hexadecimal or base64; check the input"
        case .tooLong:
            "too long; a payload has at most \(HeraldPayloadText.maximumByteCount) bytes"
        }
    }
}
