import LogContents

/// A board in JSON: its log identity, and its name.
public struct BoardReference: Encodable, Sendable {
    public let board: String
    public let name: String

    init(_ board: LogIdentity, names: BoardNames) {
        self.board = board.hexadecimal
        name = names[board]
    }
}
