import FixedMemory
import LogContents

/// The boards that the operator has trusted on this computer, with their keys: kept outside of archives, as
/// ssh keeps its known hosts.
///
/// A text file with a line for each key: the log identity and the board's public key (X9.63), in hexadecimal.
/// Empty lines and those that begin with # do not count.
public struct KnownBoards: Sendable, Equatable {
    /// In the order in which they were trusted.
    public private(set) var keys: [LogIdentity: [Bytes<65>]] = [:]

    public init() {}

    public init(text: String) {
        for line in text.split(separator: "\n") {
            if let (board, key) = Self.board(in: line) { add(key, of: board) }
        }
    }

    /// The number of the first line, from one, that has no board, or nil. The last line may be one that a
    /// killed command has not finished.
    public static func firstDamagedLine(of text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.firstIndex { line in
            !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") && board(in: line) == nil
        }.map { $0 + 1 }
    }

    private static func board(in line: Substring) -> (LogIdentity, Bytes<65>)? {
        let words = line.split(separator: " ")
        guard words.count >= 2, let identity = [UInt8](hexadecimal: words[0]).flatMap(LogIdentity.init),
            let bytes = [UInt8](hexadecimal: words[1]), let key = Bytes<65>(bytes.span)
        else { return nil }
        return (identity, key)
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
