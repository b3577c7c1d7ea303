/// Takes the progress of a task's work on an archive, some times a second at most.
///
/// It is a type of its own, because an optimised program crashes when a task-local value is a function:
/// Swift 6.3 finds no metadata of the function's type.
public struct ArchiveProgressListener: Sendable {
    let take: @Sendable (ArchiveProgress) -> Void

    public init(_ take: @escaping @Sendable (ArchiveProgress) -> Void) { self.take = take }
}
