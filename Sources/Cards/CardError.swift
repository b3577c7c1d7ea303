/// Why a card cannot be prepared. Each has the words for its operator, without the path before them.
public enum CardError: Error, Equatable {
    /// The folder has no file of this name, which each boot partition of Raspberry Pi OS has.
    case noBootPartition(missing: String)
    /// The system on the card is older than the first one that a board's package supports.
    case oldSystem(date: String)
    case unreadable(file: String, reason: String)
    /// `user-data` is in a form that cannot be extended by lines of text.
    case userData(String)
    case package(String)
    /// The table of cards; `line` counts from one.
    case table(line: Int, String)

    public var message: String {
        switch self {
        case .noBootPartition(let missing):
            "no boot partition of Raspberry Pi OS (\(missing) is missing); write Raspberry Pi OS Lite to the card, "
                + "and name the folder of its first partition, bootfs"
        case .oldSystem(let date):
            "the card has a Raspberry Pi OS of \(date); write one of Debian 12 (October 2023) or later"
        case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)"
        case .userData(let reason): "user-data \(reason)"
        case .package(let reason): reason
        case .table(let line, let reason): "line \(line): \(reason)"
        }
    }
}
