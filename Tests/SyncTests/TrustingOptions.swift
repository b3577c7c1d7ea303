import Sync

extension Synchroniser.Options {
    /// Options of an operator who trusts new boards at first sight.
    static var trusting: Self {
        var options = Self()
        options.trust = .newBoards
        return options
    }

    /// The same, without the acknowledgement, which would make the board write another page.
    static var fetching: Self {
        var options = Self.trusting
        options.acknowledges = false
        return options
    }

    /// The same, for a fetch that sends nothing to the board.
    static var trustingReader: Self {
        var options = Self.readingOnly
        options.trust = .newBoards
        return options
    }
}

extension Dock.Options {
    static var trusting: Self {
        var options = Self()
        options.sync = .trusting
        return options
    }

    static var fetching: Self {
        var options = Self()
        options.sync = .fetching
        return options
    }
}
