import ArgumentParser
import Cards
import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import KeyFiles

/// The owner's and operator's keys for a board that is set up.
struct SetupKeys: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the owner and operator keys; default: ~/.config/tabard.", valueName: "path"),
        completion: .directory)
    var keys: String?

    @Flag(help: "Create the keys in that folder if it has none.")
    var newKeys = false

    @Flag(help: "Leave the board without keys: anyone who has it can read its log and change it.")
    var withoutKeys = false

    func validate() throws {
        if withoutKeys, newKeys || keys != nil {
            throw ValidationError("--without-keys cannot be given together with --keys or --new-keys")
        }
    }

    private var folder: String { keys ?? UserFolders.configuration }

    /// Keys at hand: the public half of the owner key, and the operator's private key.
    struct AtHand {
        let ownerKey: P256PublicKey
        let operatorKey: P256PublicKey
        let operatorFile: String
    }

    /// The keys of the folder. If it has none, they are created when the command line or the person at the
    /// terminal says so.
    /// - Returns: nil if the board is to have no keys.
    func atHand(dryRun: Bool = false) throws(Failure) -> AtHand? {
        guard !withoutKeys else { return nil }
        guard !dryRun || hasKeys else {
            Console.report("\(folder) has no keys; they would be created there")
            return nil
        }
        if !hasKeys, try mayCreate() {
            var pairs = NewKeyPairs()
            pairs.directory = folder
            try pairs.make("opening", "operator")
            Console.report(
                "Keep a copy of opening.pem away from boards: without it nobody can read their logs.")
        }
        return AtHand(
            ownerKey: try Keys.publicHalf(existing("opening")),
            operatorKey: try Keys.publicHalf(KeyPair.privatePath("operator", in: folder)),
            operatorFile: KeyPair.privatePath("operator", in: folder))
    }

    /// The public halves in PEM, for a card; nil if the board is to have no keys.
    func publicHalves() throws(Failure) -> CardContents.Keys? {
        guard let keys = try atHand() else { return nil }
        return CardContents.Keys(
            owner: KeyPair.publicText(of: keys.ownerKey),
            operatorKey: KeyPair.publicText(of: keys.operatorKey))
    }

    private var hasKeys: Bool {
        FileManager.default.fileExists(atPath: existing("opening"))
            || FileManager.default.fileExists(atPath: KeyPair.privatePath("operator", in: folder))
    }

    /// The public half, which is enough on a computer in the field; else the private one.
    private func existing(_ name: String) -> String {
        let publicHalf = KeyPair.publicPath(name, in: folder)
        return FileManager.default.fileExists(atPath: publicHalf)
            ? publicHalf : KeyPair.privatePath(name, in: folder)
    }

    private func mayCreate() throws(Failure) -> Bool {
        guard !newKeys else { return true }
        guard Question.canAsk else {
            throw Failure(
                .noInput,
                "\(folder): no keys; create them with --new-keys, name their folder with --keys, or give "
                    + "--without-keys")
        }
        return try Question.ask("\(folder) has no keys. Create them there? yes or no", standard: "yes") {
            answer throws(Failure) in
            switch answer.lowercased() {
            case "yes", "y": return true
            case "no", "n":
                throw Failure(
                    .tryAgain, "give the folder with --keys, or --without-keys; nothing was changed")
            default: throw Failure(.usage, "answer yes or no")
            }
        }
    }
}
