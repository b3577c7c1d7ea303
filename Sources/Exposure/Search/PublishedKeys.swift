import Authority
import Schemes

/// A key of a person who fell ill, with its published data.
public struct PublishedKey: Equatable, Sendable {
    public let key: TemporaryExposureKey
    public let reportType: Int32?
    public let daysSinceOnset: Int32?
    /// 0 if there is none.
    public let transmissionRisk: Int

    /// Nil if the file contains invalid values.
    init?(_ exported: ExportedKey) {
        guard let key = exported.key else { return nil }
        self.key = key
        reportType = exported.reportType
        daysSinceOnset = exported.daysSinceOnset
        transmissionRisk = Int(exported.transmissionRisk ?? 0)
    }
}

/// The keys of several export files, each once: as in the latest file, including revisions.
public struct PublishedKeys: Equatable, Sendable {
    /// In order of first appearance.
    public private(set) var keys: [PublishedKey] = []
    /// The number of keys that were skipped because they are invalid.
    public private(set) var refusedCount = 0

    public init(_ exports: [ExposureKeyExport]) {
        let inOrder = exports.enumerated().sorted {
            ($0.element.endSeconds ?? 0, $0.offset) < ($1.element.endSeconds ?? 0, $1.offset)
        }
        var places: [[UInt8]: Int] = [:]
        for exported in inOrder.flatMap({ $0.element.keys + $0.element.revisedKeys }) {
            guard let key = PublishedKey(exported) else {
                refusedCount += 1
                continue
            }
            if let place = places[exported.data] {
                keys[place] = key
            } else {
                places[exported.data] = keys.count
                keys.append(key)
            }
        }
    }
}
