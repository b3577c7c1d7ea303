import CommandLineText
import Foundation

/// Runs this program several times in parallel, each with a share of the work, because a world has one
/// thread.
///
/// Before each piece of its work a worker prints a line with "> " and the replay of that piece. A worker that
/// traps or never ends can therefore be attributed to a seed.
struct WorkerPool {
    let jobs: UInt64
    let arguments: (UInt64) -> [String]
    /// How long a worker may print nothing before it counts as stuck.
    var patienceSeconds = 1_800.0

    /// Passes each line of a worker to `take` as it arrives. Lines about pieces are kept in the pool.
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

/// One worker process.
private struct Worker {
    private let process = Process()
    private let output: FileHandle
    private var rest = Data()
    /// The replay of the current piece.
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
        // The seed reproduces a crash, so nobody needs a long backtrace.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { _, ours in ours })
        do { try process.run() } catch {
            throw Failure(.system, "cannot start a worker: \(error)")
        }
        // Without this, end of file would never arrive.
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

    /// Waits for the worker's end. Returns the reason if it failed.
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
