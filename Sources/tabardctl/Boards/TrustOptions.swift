import ArgumentParser
import FixedMemory
import KeyFiles
import Sync

/// The boards and keys that a fetch trusts without a question.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Trust boards that are new to the archive (new), or the board with this key (a fingerprint, 32 "
                + "digits); may be repeated.",
            valueName: "new|fingerprint"))
    var trusted: [TrustArgument] = []

    var policy: TrustPolicy {
        var policy = TrustPolicy()
        for argument in trusted {
            switch argument {
            case .newBoards: policy.trustsNewBoards = true
            case .key(let fingerprint): policy.fingerprints.append(fingerprint)
            }
        }
        return policy
    }
}

enum TrustArgument: ExpressibleByArgument {
    case newBoards
    case key(Bytes<16>)

    init?(argument: String) {
        if argument == "new" {
            self = .newBoards
        } else if let fingerprint = Fingerprint.bytes(argument) {
            self = .key(fingerprint)
        } else {
            return nil
        }
    }
}
