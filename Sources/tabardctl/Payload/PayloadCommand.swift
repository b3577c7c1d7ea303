import ArgumentParser

/// Creates and reads Herald payloads without a board.
struct PayloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payload", abstract: "Create and read Herald payloads and venue QR codes.",
        discussion: """
            Examples:
              tabardctl payload venue --location 123456 --name "Adams Pizza" --qr
              tabardctl payload venue --port /dev/ttyACM0 --svg poster.svg
              tabardctl payload read 303a03040040e20100

            A payload is the identity that a device serves to its peers. Each command prints it in \
            hexadecimal, in base64 and as the text of a QR code, then its decoded fields. The text \
            format is Tabard's own (docs/herald-payloads.md).

            Exit codes: 0 done; 64 a value that no payload has; 65 a damaged file or input; 66 no \
            such file, or no key for the day; 69 no board; 77 other users can read a secret.
            """,
        subcommands: [
            PayloadVenueCommand.self, PayloadFixedCommand.self, PayloadSimpleCommand.self,
            PayloadReadCommand.self,
        ])
}
