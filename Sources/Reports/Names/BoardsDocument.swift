import Archive
import EncounterLog
import FixedMemory
import LogContents

/// The archive's boards, as `tabardctl boards --json` and `--csv` print them.
public struct BoardsDocument: PrintedDocument {
    public static let schema = PrintedSchema("boards")

    /// In the order in which they were registered.
    public let boards: [Board]

    public struct Board: Encodable, Sendable {
        /// The log identity.
        public let board: String
        @NullIfUnknown public private(set) var name: String?
        @NullIfUnknown public private(set) var group: String?
        /// The model of the device, as walk tests name it.
        @NullIfUnknown public private(set) var model: String?
        /// `beacon` or `wearable`, as the board last said; null if it never did.
        @NullIfUnknown public private(set) var role: String?
        /// RFC 3339, UTC.
        @NullIfUnknown public private(set) var lastFetched: String?
        /// Since when it is out of service: RFC 3339, UTC.
        @NullIfUnknown public private(set) var retired: String?
        /// The size of what was fetched.
        public let bytes: Int
        public let pages: Int
        public let lockedPages: Int
        public let entries: Int

        fileprivate init(_ listed: ListedBoard) {
            board = listed.board.identity.hexadecimal
            name = listed.board.name
            group = listed.label.group
            model = listed.label.model
            role = listed.role.flatMap(\.name)
            lastFetched = listed.board.lastSync.map(TimeText.utc)
            retired = listed.board.retirement.map(TimeText.utc)
            bytes = listed.contents.byteCount
            pages = listed.contents.pageCount
            lockedPages = listed.contents.lockedPageCount
            entries = listed.contents.entryCount
        }
    }

    public init(_ boards: [ListedBoard]) { self.boards = boards.map(Board.init) }

    public static let columns = [
        "board", "name", "group", "model", "role", "last_fetched", "retired", "bytes", "pages",
        "locked_pages", "entries",
    ]

    public var rows: [[String]] {
        boards.map {
            [
                $0.board, $0.name ?? "", $0.group ?? "", $0.model ?? "", $0.role ?? "", $0.lastFetched ?? "",
                $0.retired ?? "", "\($0.bytes)", "\($0.pages)", "\($0.lockedPages)", "\($0.entries)",
            ]
        }
    }
}

extension LogRole {
    /// The word in lists and exports; nil for a role that only a later version knows.
    public var name: String? {
        switch self {
        case .beacon: "beacon"
        case .wearable: "wearable"
        default: nil
        }
    }
}
