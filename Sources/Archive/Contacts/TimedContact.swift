import LogContents

/// Somebody near a board at a known time: another board, or a device that no board of the archive is.
public enum TimedContact: Sendable {
    case boards(BoardContact)
    case stranger(EncounterSummary)

    public var start: TimelinePoint {
        switch self {
        case .boards(let contact): contact.start
        case .stranger(let encounter): encounter.start
        }
    }
}
