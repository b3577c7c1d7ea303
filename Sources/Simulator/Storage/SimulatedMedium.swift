import EncounterLog

/// What a flash device holds; it outlives the agent that writes to it.
public final class SimulatedMedium {
    public let geometry: FlashGeometry
    public internal(set) var bytes: [UInt8]
    public internal(set) var programCount: UInt64 = 0
    public internal(set) var eraseCount: UInt64 = 0

    public init(_ geometry: FlashGeometry) {
        self.geometry = geometry
        bytes = Array(repeating: 0xff, count: geometry.byteCount)
    }

    /// The board's power has gone.
    func powerWasCut() {}

    /// The board's power has come back.
    func powerCameBack() {}
}
