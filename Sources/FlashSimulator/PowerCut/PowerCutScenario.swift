import EncounterLog

/// A workload, with the mode of its power cuts.
public struct PowerCutScenario: Hashable, Sendable {
    public enum Medium: String, CaseIterable, Sendable {
        /// Whole blocks are overwritten.
        case file
        /// Whole blocks are programmed, on erased segments.
        case nand
        /// As `nand`, with units of 16 bytes, so that a block has several pages.
        case nor
    }

    public enum Pages: String, CaseIterable, Sendable {
        case clear, sealed
    }

    /// The effect of a cut on the interrupted operation.
    public enum Mode: String, CaseIterable, Sendable {
        /// The operation has no effect or its whole effect; the two alternate from cut to cut.
        case whole
        /// The first bytes are written, and some bits of the byte after them. An erasure leaves random bits.
        /// A file has pieces of old and of new bytes.
        case torn
        /// Each piece of 64 bytes written since the last sync is kept or lost at random.
        case reordered
    }

    public var medium: Medium
    public var pages: Pages
    public var mode: Mode
    public var seed: UInt64

    public init(medium: Medium, pages: Pages, mode: Mode, seed: UInt64) {
        self.medium = medium
        self.pages = pages
        self.mode = mode
        self.seed = seed
    }

    public static func all(seeds: ClosedRange<UInt64>) -> [PowerCutScenario] {
        Medium.allCases.flatMap { medium in
            Pages.allCases.flatMap { pages in
                Mode.allCases.flatMap { mode in
                    seeds.map { PowerCutScenario(medium: medium, pages: pages, mode: mode, seed: $0) }
                }
            }
        }
    }

    /// The scenario without its seed.
    public var name: String { "\(medium) \(pages) \(mode)" }

    var random: RandomStream {
        RandomStream(seed: seed).split(name)
    }

    /// An erased medium of 16 segments with 8 blocks of 1,024 bytes.
    public static func medium(_ medium: Medium) -> SimulatedMedium {
        SimulatedMedium(geometry(medium), isOverwritable: medium == .file)
    }

    static func geometry(_ medium: Medium) -> FlashGeometry {
        let geometry = FlashGeometry(
            unitByteCount: medium == .nor ? 16 : nil, blockByteCount: 1_024, blocksPerSegment: 8,
            segmentCount: 16)
        guard let geometry else { preconditionFailure("not a geometry") }
        return geometry
    }

    /// The state in which one cut leaves the medium.
    ///
    /// - Parameters:
    ///   - operation: The number of the workload's operation that the first cut interrupts.
    ///   - again: The number of the recovery's operation that a second cut interrupts; nil for none.
    func tear(operation: Int, again: Int?) -> SimulatedMedium.Tear {
        let name = again.map { "cut \(operation), \($0)" } ?? "cut \(operation)"
        switch mode {
        case .whole:
            let turn = operation &+ Int(truncatingIfNeeded: seed) &+ (again ?? 0)
            return turn % 2 == 0 ? .nothing : .everything
        case .torn: return .partly(random.split(name))
        case .reordered: return .reordered(random.split(name))
        }
    }
}
