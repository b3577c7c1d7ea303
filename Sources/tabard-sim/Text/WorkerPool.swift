import CommandLineText
import Foundation

/// This program again, several times side by side, each with a share of the work: a world has one thread.
///
/// Before each piece of its work a worker prints a line of "> " and what replays the piece, so that one that traps or never
/// ends can be told from its words.
struct WorkerPool {
    let jobs: UInt64
    let arguments: (UInt64) -> [String]
    /// A worker that prints nothing for so long will never end.
    var patienceSeconds = 1_800.0

    /// Gives each line that a worker prints to `take`, as they come. What a worker prints of its pieces stays here.
    func run(_ take: (String) -> Void) throws {
        var workers = try (0..<jobs).map { try Worker(arguments: arguments($0)) }
        while workers.contains(where: \.isOpen) {
            var polled = workers.map {
                pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
            }
            poll(&polled, nfds_t(polled.count), 1_000)
            for index in workers.indices where workers[index].isOpen {
                if polled[index].revents != 0 {
                    workers[index].read(take)
                } else {
                    workers[index].endIfStuck(afterSeconds: patienceSeconds)
                }
            }
            fflush(nil)
        }
        let failures = workers.compactMap { $0.failure() }
        guard failures.isEmpty else {
            throw Failure(.software, failures.joined(separator: "\n"))
        }
    }
}

/// One of them.
private struct Worker {
    private let process = Process()
    private let output: FileHandle
    private var rest = Data()
    /// What replays the piece it is at.
    private var piece = "the first piece of its work"
    private var lastHeard = ContinuousClock.now
    private var isStuck = false
    private(set) var isOpen = true

    var descriptor: Int32 { output.fileDescriptor }

    init(arguments: [String]) throws {
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = pipe
        // A page of addresses says less than the seed.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { _, ours in ours })
        do { try process.run() } catch {
            throw Failure(.system, "cannot start a worker: \(error)")
        }
        // Else it never ends.
        try? pipe.fileHandleForWriting.close()
    }

    mutating func read(_ take: (String) -> Void) {
        let data = output.availableData
        lastHeard = .now
        isOpen = !data.isEmpty
        rest += data
        while let end = rest.firstIndex(of: 0x0a) {
            let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if line.hasPrefix("> ") { piece = String(line.dropFirst(2)) } else { take(line) }
        }
    }

    mutating func endIfStuck(afterSeconds seconds: Double) {
        guard !isStuck, ContinuousClock.now - lastHeard > .seconds(seconds) else { return }
        isStuck = true
        kill(process.processIdentifier, SIGKILL)
    }

    /// How it ended, if not well; waits for its end.
    func failure() -> String? {
        process.waitUntilExit()
        if isStuck { return "\(piece): did not end" }
        switch process.terminationReason {
        case .exit where process.terminationStatus == 0: return nil
        case .exit: return "\(piece): the program ended with \(process.terminationStatus)"
        default: return "\(piece): the program was ended by signal \(process.terminationStatus)"
        }
    }
}
