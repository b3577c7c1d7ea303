import Authority
import Schemes

/// A key of somebody who fell ill, and what is said of it.
public struct PublishedKey: Equatable, Sendable {
    public let key: TemporaryExposureKey
    public let reportType: Int32?
    public let daysSinceOnset: Int32?
    /// 0 where there is none.
    public let transmissionRisk: Int

    /// Nil where the file says something that no key has.
    init?(_ exported: ExportedKey) {
        guard let key = exported.key else { return nil }
        self.key = key
        reportType = exported.reportType
        daysSinceOnset = exported.daysSinceOnset
        transmissionRisk = Int(exported.transmissionRisk ?? 0)
    }
}

/// The keys of several export files, each once: as the latest file has it, and as it was revised there if it was.
public struct PublishedKeys: Equatable, Sendable {
    /// In order of their first appearance.
    public private(set) var keys: [PublishedKey] = []
    /// How many were passed over, for they are none that there can be.
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
