import ArgumentParser

/// The serial port of one board: the first argument, or --port.
struct PortOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The board's serial port.", valueName: "port"), completion: ValueCompletion.port)
    var first: String?

    @Option(
        name: .customLong("port"),
        help: ArgumentHelp("The board's serial port; the same as the argument.", valueName: "path"),
        completion: ValueCompletion.port)
    var named: String?

    var path: String? { named ?? first }

    /// The other arguments: with --port the first argument is one of them.
    func others(_ words: [String]) -> [String] { named == nil ? words : [first].compactMap(\.self) + words }

    /// Requires that the port is given once at most.
    func requireOne() throws {
        if first != nil, named != nil {
            throw ValidationError("give the port once: as an argument or with --port")
        }
    }

    /// Requires that the port is given once.
    func requirePort() throws {
        try requireOne()
        guard path != nil else {
            throw ValidationError("give the board's serial port, such as /dev/ttyACM0")
        }
    }
}
