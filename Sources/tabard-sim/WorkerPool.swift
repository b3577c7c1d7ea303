import Foundation

/// This program again, several times side by side, each with a share of the work: a world has one thread.
struct WorkerPool {
    let jobs: UInt64
    let arguments: (UInt64) -> [String]

    /// Gives each line that a worker prints to `take`, as they come.
    func run(_ take: (String) -> Void) throws {
        let pipe = Pipe()
        var workers: [Process] = []
        for worker in 0..<jobs {
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = arguments(worker)
            // Its own descriptor: whoever starts a process closes what it is given, but for a handle.
            let output = FileHandle(
                fileDescriptor: dup(pipe.fileHandleForWriting.fileDescriptor), closeOnDealloc: true)
            process.standardOutput = output
            do { try process.run() } catch {
                throw Failure("cannot start a worker: \(error)", exitCode: EX_OSERR)
            }
            // Else the pipe never ends.
            try? output.close()
            workers.append(process)
        }
        try? pipe.fileHandleForWriting.close()
        var rest = Data()
        while true {
            let data = pipe.fileHandleForReading.availableData
            fflush(nil)
            guard !data.isEmpty else { break }
            rest += data
            while let end = rest.firstIndex(of: 0x0a) {
                take(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                rest = rest[(end + 1)...]
            }
        }
        for worker in workers {
            worker.waitUntilExit()
            guard worker.terminationReason == .exit, worker.terminationStatus == 0 else {
                throw Failure(
                    "a worker ended with \(worker.terminationStatus): run with --jobs 1 to find its seed",
                    exitCode: EX_SOFTWARE)
            }
        }
    }
}
