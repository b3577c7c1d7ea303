import ArgumentParser
import Authority
import CommandLineText
import Schemes

struct PayloadReadCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read a payload, from a QR code, a log, or a capture.",
        discussion: """
            Takes the text of a QR code, hexadecimal digits, or base64 with either alphabet. What can be read as hexadecimal is that.

            Exit code 0: it is a payload; 65: it is none, or none that can be read. Its bytes are shown all the same.

            Examples:
              tabardctl payload read tabard:herald/1/MDoDBABA4gEA
              tabardctl payload read 303a03040040e20100100b4164616d732050697a7a61 --json
            """)

    @Argument(help: ArgumentHelp("The payload.", valueName: "text"))
    var text: String

    @OptionGroup var output: PayloadOutput

    func execute() throws(Failure) {
        let payload: [UInt8]
        do throws(HeraldPayloadTextError) { payload = try HeraldPayloadText.bytes(of: text) } catch {
            throw Failure(.data, error.words)
        }
        try output.show([payload])
        guard (try? HeraldPayload(parsing: payload.span)) != nil else {
            throw Failure(.data, "these bytes are no Herald payload, or not all of one")
        }
    }
}

extension HeraldPayloadTextError {
    fileprivate var words: String {
        switch self {
        case .empty: "there is no payload in it"
        case .otherForm:
            "not of the form tabard:herald/1/…; a later version of tabardctl may be able to read it"
        case .malformed: "neither hexadecimal digits nor base64"
        case .tooLong:
            "longer than any payload, which has \(HeraldPayloadText.maximumByteCount) bytes at most"
        }
    }
}
