import Synchronization

/// What the server's tasks tell the thread that waits for them.
final class ServerState: Sendable {
    struct Outcome {
        let error: DashboardError?
    }

    private struct Values {
        var port: Int?
        var outcome: Outcome?
    }

    private let values = Mutex(Values())

    /// Nil until the server listens.
    var port: Int? { values.withLock { $0.port } }

    /// Nil while the server runs.
    var outcome: Outcome? { values.withLock { $0.outcome } }

    func start(_ port: Int?) { values.withLock { $0.port = port } }

    func end(_ error: DashboardError?) { values.withLock { $0.outcome = Outcome(error: error) } }
}
