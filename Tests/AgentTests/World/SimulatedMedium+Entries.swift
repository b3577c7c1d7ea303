import EncounterLog
import FlashSimulator
import TestSupport

extension SimulatedMedium {
    /// All entries committed so far, oldest first.
    var entries: [LogEntry] { entries(for: []) }

    /// The entries that the owners of these keys can read.
    func entries(for keys: [OwnerKeyPair]) -> [LogEntry] {
        ReadPages.pages(ofMedium: bytes, geometry: geometry, keys: keys).flatMap(\.entries)
    }

    var pages: [ReadPages.Page] { ReadPages.pages(ofMedium: bytes, geometry: geometry) }

    var lastPage: ReadPages.Page? { pages.last }

    /// Whether every program and every erasure fails.
    var isBroken: Bool {
        get { programFails(0) }
        set {
            programFails = { _ in newValue }
            eraseFails = { _ in newValue }
        }
    }
}

extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}
