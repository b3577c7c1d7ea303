import BoardLink
import CommandLineText
import DeviceSync
import Foundation

/// What a board has written: it may have written anything.
enum BoardText {
    /// For a terminal, which gets text.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar == "\n" || scalar.properties.generalCategory != .control ? scalar : "?"
                })
        ).trimmingCharacters(in: .newlines)
    }
}

extension Failure {
    /// What a board refuses to have changed, with its reason.
    ///
    /// - Parameter what: behind "nothing".
    init(_ error: LinkError, saidBy client: BoardClient, nothing what: String) {
        switch error {
        case .refused(_, .configurationRefused), .refused(_, .secretsRefused):
            self.init(
                .data,
                "nothing \(what): "
                    + "\(client.refusalReason.map(BoardText.plain) ?? "the board refused without a reason")"
            )
        case .refused(_, .fileNotFound), .refused(_, .notSupported):
            self.init(
                .unavailable,
                "\(client.channel.name): the board's agent is too old for this command; update the board")
        default: self.init(error)
        }
    }
}
