import ArgumentParser

/// Herald payloads, made and read without a board.
struct PayloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payload", abstract: "Make Herald payloads, read them, and draw a venue's QR code.",
        discussion: """
            A payload is what a board shows of itself, byte for byte. Each command prints it in hexadecimal, in base64 and as the \
            text that a QR code holds, which is ours (docs/herald-payloads.md), and then what can be read in it.

            Exit code 0: done; 64: a value that no payload has; 65: a file, or what is to be read, is not what it should be; 66: \
            there is no such file, or no key for that day; 69: no board; 77: others may read a secret.

            Examples:
              tabardctl payload venue --code 123456 --name "Adams Pizza" --qr
              tabardctl payload venue --port /dev/ttyACM0 --svg poster.svg
              tabardctl payload read 303a03040040e20100
            """,
        subcommands: [
            PayloadVenueCommand.self, PayloadFixedCommand.self, PayloadSimpleCommand.self,
            PayloadReadCommand.self,
        ])
}
