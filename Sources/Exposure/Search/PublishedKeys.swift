import Authority
import Schemes

/// A key of a person who fell ill, with its published data.
public struct PublishedKey: Equatable, Sendable {
    public let key: TemporaryExposureKey
    public let reportType: Int32?
    public let daysSinceOnset: Int32?
    /// 0 if there is none.
    public let transmissionRisk: Int

    init(_ exported: ExportedKey) throws(ExportedKeyDefect) {
        key = try exported.key()
        reportType = exported.reportType
        daysSinceOnset = exported.daysSinceOnset
        transmissionRisk = Int(exported.transmissionRisk ?? 0)
    }
}

/// The keys of several export files, each once: as in the latest file, including revisions.
public struct PublishedKeys: Equatable, Sendable {
    /// A key that no identifier can be expanded from.
    public struct Refusal: Equatable, Sendable {
        /// The export, counted from 0 in the order given.
        public let export: Int
        /// The key, counted from 1 in its export; revised keys follow the others. Nil if it is unreadable.
        public let place: Int?
        public let defect: ExportedKeyDefect
    }

    /// In order of first appearance.
    public private(set) var keys: [PublishedKey] = []
    /// The keys that were left out.
    public private(set) var refusals: [Refusal] = []

    public init(_ exports: [ExposureKeyExport]) {
        let inOrder = exports.enumerated().sorted {
            ($0.element.endSeconds ?? 0, $0.offset) < ($1.element.endSeconds ?? 0, $1.offset)
        }
        var places: [[UInt8]: Int] = [:]
        for (index, export) in inOrder {
            for (place, exported) in (export.keys + export.revisedKeys).enumerated() {
                do throws(ExportedKeyDefect) {
                    let key = try PublishedKey(exported)
                    if let place = places[exported.data] {
                        keys[place] = key
                    } else {
                        places[exported.data] = keys.count
                        keys.append(key)
                    }
                } catch {
                    refusals.append(Refusal(export: index, place: place + 1, defect: error))
                }
            }
            for _ in 0..<export.unreadableKeyCount {
                refusals.append(Refusal(export: index, place: nil, defect: .unreadable))
            }
        }
    }
}
