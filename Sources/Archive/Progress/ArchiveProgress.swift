/// How far long work on an archive is.
public struct ArchiveProgress: Equatable, Sendable {
    public enum Work: Sendable {
        /// Pages are decoded, and encounters are made of them. It is counted in segments.
        case decodingPages
        /// It is counted in encounters.
        case readingEncounters
    }

    public let work: Work
    public let done: Int
    /// Encounters may be a little fewer.
    public let total: Int

    /// Nobody counts without it.
    @TaskLocal public static var listener: ArchiveProgressListener?
}

/// Counts the steps of long work for ``ArchiveProgress/listener``.
struct ProgressCount {
    private let work: ArchiveProgress.Work
    private let listener: ArchiveProgressListener?
    private let total: Int
    private let stride: Int
    private var done = 0

    /// - Parameters:
    ///   - stride: the number of steps after which the listener is called.
    ///   - total: counts the steps; not called without a listener.
    init(_ work: ArchiveProgress.Work, stride: Int, total: () throws -> Int) rethrows {
        self.work = work
        self.stride = stride
        listener = ArchiveProgress.listener
        self.total = listener == nil ? 0 : try total()
    }

    mutating func add() {
        done += 1
        guard done.isMultiple(of: stride), let listener else { return }
        listener.take(ArchiveProgress(work: work, done: done, total: total))
    }
}
