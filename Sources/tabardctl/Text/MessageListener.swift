/// Takes messages in place of standard error.
///
/// It is a type of its own for the same reason as ``ArchiveProgressListener``.
struct MessageListener: Sendable {
    let take: @Sendable (String) -> Void
}
