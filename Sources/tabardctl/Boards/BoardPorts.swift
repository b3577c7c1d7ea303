import ArgumentParser
import BoardLink
import CommandLineText
import FixedMemory

/// The serial ports that a command applies to.
enum BoardPorts {
    /// The given ports, or else those of plugged-in boards: exactly one, unless `all` is true.
    static func find(given: [String], all: Bool, baud: UInt32) throws(Failure) -> [String] {
        guard given.isEmpty || all else { return try expand(given) }
        let found = SerialPorts.candidates(given: given).filter { path in
            guard case .board = SerialPorts.probe(path, baud: baud).finding else { return false }
            return true
        }
        guard !found.isEmpty else {
            throw Failure(.unavailable, "no board found; plug one in or give its port with --port")
        }
        guard found.count == 1 || all else {
            throw Failure(
                .usage,
                "several boards found (\(found.joined(separator: ", "))); give one with --port, or use --all")
        }
        return found
    }

    /// Expands patterns to the ports that match; a plain path stays, even if no such port exists.
    private static func expand(_ given: [String]) throws(Failure) -> [String] {
        var paths: [String] = []
        for path in given {
            let isPattern = path.contains { "*?[".contains($0) }
            let found = isPattern ? SerialPorts.candidates(matching: [path]) : [path]
            guard !found.isEmpty else {
                throw Failure(
                    .unavailable, "\(path): no serial port matches; `tabardctl devices` lists the ports")
            }
            paths += found.filter { !paths.contains($0) }
        }
        return paths
    }

    static func open(_ path: String, baud: UInt32) throws(Failure) -> BoardClient {
        do throws(LinkError) {
            let channel = try SerialChannel(path: path, baud: baud)
            // The line of a fetch's progress takes the note's place.
            return BoardClient(
                WatchedChannel(channel, patience: .seconds(1)) {
                    Console.showNote("\(path): waiting for an answer")
                } answer: {
                    Console.endNote()
                })
        } catch {
            throw Failure(error)
        }
    }
}
