import EncounterLog
import Foundation
import Testing

@testable import Archive

@Suite struct PeerDetailTests {
    private func archive() throws -> (Archive, TestLog) {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        let log = try TestLog()
        let archive = try Archive(path: file.path)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try log.sign(into: archive)
        try archive.decodePages(of: log.board)
        return (archive, log)
    }

    @Test func `HP-C14, HP-D06: an encounter has the addresses and pseudo addresses that its board logged`()
        throws
    {
        let (archive, _) = try archive()
        let encounter = try #require(archive.encounters().first)
        #expect(encounter.addresses.map(\.text) == ["00:00:00:00:00:01", "C4:05:06:07:08:09"])
        #expect(encounter.peer.pseudoAddresses == [[1, 2, 3, 4, 5, 6]])
        #expect(encounter.readings.isEmpty, "they were not asked for")
    }

    @Test func `HP-C27: all RSSI readings of a board in raw mode are available, in order of time`() throws {
        let (archive, _) = try archive()
        let encounter = try #require(archive.encounters(withReadings: true).first)
        #expect(encounter.readings.map(\.rssiDBm) == (0..<30).map { -60 - $0 })
        let start = encounter.start
        #expect(
            encounter.readings.map(\.time)
                == (0..<30).map { start + .milliseconds($0 == 1 ? 0 : $0 * 400) })
        #expect(encounter.readingCount == 30, "and counted once")
    }

    @Test func `HP-D06: each boot contains the board's own identities, and the times without one`() throws {
        let (archive, log) = try archive()
        let boots = try archive.history(of: log.board).boots
        let address = RecordedAddress(bytes: [0, 0, 0, 0, 0, 0x40], type: 1)
        #expect(boots.count == 2)
        for boot in boots {
            #expect(
                boot.ownIdentities == [
                    OwnIdentityRecord(
                        instant: 700, address: address,
                        identity: Identity(scheme: SchemeCode(.herald), payload: [0x10, 1])),
                    OwnIdentityRecord(instant: 360_000, address: address, identity: nil),
                ])
        }
    }

    @Test func `a detail of a later version is stored unchanged`() {
        #expect(TrackDetail.What(kind: 77, value: [1]) == .other(kind: 77, value: [1]))
        #expect(TrackDetail.What(kind: 1, value: [1, 2]) == .other(kind: 1, value: [1, 2]))
        #expect(TrackDetail.What(kind: 2, value: []) == .other(kind: 2, value: []))
        #expect(TrackDetail.What(kind: 3, value: Array("Pixel 8".utf8)) == .model("Pixel 8"))
    }
}
