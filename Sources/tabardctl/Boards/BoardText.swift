import BoardLink
import CommandLineText
import DeviceSync
import Foundation

/// Text from a board, which may contain any characters.
enum BoardText {
    static func plain(_ text: String) -> String {
        PlainText.displayable(text).trimmingCharacters(in: .newlines)
    }
}

extension Failure {
    /// The failure of a change that a board refused, with the board's reason.
    ///
    /// - Parameter what: the word after "nothing".
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
        default: self.init(error, reason: client.refusalReason)
        }
    }
}
