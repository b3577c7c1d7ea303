import FixedMemory
import LogContents

/// The boards that the operator has trusted on this computer, with their keys: kept outside of archives, as
/// ssh keeps its known hosts.
///
/// A text file with a line for each key: the log identity and the board's public key (X9.63), in hexadecimal.
/// Other lines are ignored.
public struct KnownBoards: Sendable, Equatable {
    /// In the order in which they were trusted.
    public private(set) var keys: [LogIdentity: [Bytes<65>]] = [:]

    public init() {}

    public init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 2, let identity = [UInt8](hexadecimal: words[0]).flatMap(LogIdentity.init),
                let bytes = [UInt8](hexadecimal: words[1]), let key = Bytes<65>(bytes.span)
            else { continue }
            add(key, of: identity)
        }
    }

    public mutating func add(_ key: Bytes<65>, of board: LogIdentity) {
        if keys[board]?.contains(key) != true { keys[board, default: []].append(key) }
    }

    public var text: String {
        keys.sorted { $0.key.hexadecimal < $1.key.hexadecimal }.flatMap { board, keys in
            keys.map { "\(board.hexadecimal) \([UInt8](copying: $0.span).hexadecimal)\n" }
        }.joined()
    }
}
