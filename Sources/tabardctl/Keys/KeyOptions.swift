import ArgumentParser
import BoardLink
import CommandLineText
import Foundation

struct KeyOptions: ParsableArguments {
    static let defaultPath = Keys.defaultPath("operator")

    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp(
            "Operator private key (PEM), for boards that require signed commands; default: "
                + "~/.config/tabard/operator.pem, if it exists.",
            valueName: "file"), completion: ValueCompletion.key)
    var operatorFile: String?

    /// Nil if no file was given and the default file does not exist.
    func key() throws(Failure) -> OperatorKey? { try Self.key(operatorFile) }

    static func key(_ named: String?) throws(Failure) -> OperatorKey? {
        if named == nil, !FileManager.default.fileExists(atPath: defaultPath) { return nil }
        return try Keys.operatorKey(named ?? defaultPath)
    }
}
