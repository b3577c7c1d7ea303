import KeyFiles

/// Why a card could not be written: its own contents, or the file system.
public enum CardWriteError: Error {
    case card(CardError)
    case file(DurableFileError)
}
