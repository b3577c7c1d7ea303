import Foundation
import Synchronization

/// Runs the work of requests on a few threads of its own, because it waits for the disk, and the server's
/// threads must not.
final class WorkQueue: Sendable {
    private static let maximumWaitingCount = 32

    private let queue: OperationQueue
    private let waitingCount = Mutex(0)

    init(threadCount: Int) {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = threadCount
    }

    /// - Returns: nil if too much work is waiting already.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        let isAdmitted = waitingCount.withLock { count in
            guard count < Self.maximumWaitingCount else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { return nil }
        return await withCheckedContinuation { continuation in
            queue.addOperation { [self] in
                let result = work()
                waitingCount.withLock { $0 -= 1 }
                continuation.resume(returning: result)
            }
        }
    }
}
