import Authority

/// The batches of each publication: an authority splits a long list of keys into several files, which belong
/// together by their times and region.
public struct ExportBatches: Equatable, Sendable {
    /// A publication of which files are missing.
    public struct Gap: Equatable, Sendable {
        /// When the publication's time ends, in seconds since 1970; nil if the files do not say.
        public let endSeconds: UInt64?
        public let missing: [Int32]
        public let size: Int32
    }

    /// A publication has at most this many files; a foreign file may claim any number.
    static let maximumSize: Int32 = 1_000

    public private(set) var gaps: [Gap] = []
    /// The exports, counted from 0, whose own number is not among those that they claim, such as 5 of 2.
    public private(set) var impossible: [Int] = []

    private struct Publication: Hashable {
        let region: String?
        let startSeconds: UInt64?
        let endSeconds: UInt64?
        let size: Int32
    }

    public init(_ exports: [ExposureKeyExport]) {
        var found: [Publication: Set<Int32>] = [:]
        for (index, export) in exports.enumerated() {
            guard let number = export.batchNumber, let size = export.batchSize else { continue }
            guard (1...max(size, 1)).contains(number), (1...Self.maximumSize).contains(size) else {
                impossible.append(index)
                continue
            }
            let publication = Publication(
                region: export.region, startSeconds: export.startSeconds, endSeconds: export.endSeconds,
                size: size)
            found[publication, default: []].insert(number)
        }
        gaps = found.filter { $0.value.count < Int($0.key.size) }
            .map { publication, numbers in
                Gap(
                    endSeconds: publication.endSeconds,
                    missing: (1...publication.size).filter { !numbers.contains($0) }, size: publication.size)
            }
            .sorted { ($0.endSeconds ?? 0, $0.size) < ($1.endSeconds ?? 0, $1.size) }
    }
}
