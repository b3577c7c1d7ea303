import ArgumentParser

/// The boards of a list.
struct BoardOptions: ParsableArguments {
    @Option(
        name: .customLong("board"),
        help: ArgumentHelp(
            "Only this board: its name or the first digits of its log identity. May be repeated.",
            valueName: "board"), completion: ValueCompletion.board)
    var names: [String] = []
}
