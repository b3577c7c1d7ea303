import EncounterLog
import FlashSimulator
import TestSupport
import Testing

@Suite struct PackingTests {
    /// Prints the log bytes per minute of an encounter. The documents state this number.
    @Test func `a minute of an encounter takes at most 130 bytes of log`() throws {
        let (peers, minutes) = (5, 10)
        var scene = try Scene()
        scene.phones = try (0..<UInt64(peers)).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 60_000)
        let before = scene.world.medium.entryBytes
        scene.run(milliseconds: UInt64(minutes) * 60_000)
        let after = scene.world.medium.entryBytes
        let perMinute = Double(after - before) / Double(peers * minutes)
        print("\(perMinute) bytes of entries per minute of an encounter, samples of 8 s")
        #expect((60...130).contains(perMinute))
    }
}

extension SimulatedMedium {
    fileprivate var entryBytes: Int {
        ReadPages.pages(ofMedium: bytes, geometry: geometry)
            .reduce(0) { $0 + $1.byteCount - $1.header.prefixByteCount }
    }
}
