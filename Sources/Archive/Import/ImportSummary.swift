/// The result of decoding the pages that were not decoded yet.
public struct ImportSummary: Sendable, Equatable {
    /// Pages that were decoded for the first time, or were locked before and are decrypted now.
    public var pageCount = 0
    public var entryCount = 0
    public var damagedPageCount = 0
    /// The pages among these that no key at hand decrypts.
    public var lockedPages: [LockedPages] = []

    public init() {}

    mutating func add(_ other: ImportSummary) {
        pageCount += other.pageCount
        entryCount += other.entryCount
        damagedPageCount += other.damagedPageCount
        for locked in other.lockedPages { lockedPages.add(locked.pageCount, for: locked.fingerprint) }
    }
}
