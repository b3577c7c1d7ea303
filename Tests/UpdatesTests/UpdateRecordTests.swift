import FixedMemory
import TestSupport
import Testing

@testable import Updates

/// Tests which agent a board runs.
@Suite struct UpdateRecordTests {
    private let version: Bytes<3>
    private let key = Bytes<65>()
    private var record = UpdateRecord()

    init() { version = Bytes<3>([0, 3, 1].span) ?? Bytes() }

    private func read(_ bytes: [UInt8]) -> UpdateRecord? { UpdateRecord(bytes.span) }

    private func written(_ record: UpdateRecord) -> [UInt8] {
        let bytes = record.bytes
        return bytes.span.indices.map { bytes[$0] }
    }

    /// The number of starts that an agent on trial gets.
    private func startCount(_ record: UpdateRecord) -> Int {
        var (record, count) = (record, 0)
        while count < 100, record.countStart() { count += 1 }
        return count
    }

    @Test mutating func `an update gets three starts, then the board goes back to its package`() {
        record.begin(record.freeSlot, version: version, signedBy: key)
        #expect(record.slot == .first && record.state == .trial)
        #expect(startCount(record) == 3)
        record.fallBack()
        #expect(record.slot == .package && record.state == .confirmed && record.failedVersion == version)
    }

    @Test mutating func `a confirmed update stays, however often it is started`() {
        record.begin(.first, version: version, signedBy: key)
        record.confirm()
        #expect(record.slot == .first && startCount(record) == 100)
    }

    @Test mutating func `a second update that fails leaves the first one`() {
        record.begin(record.freeSlot, version: version, signedBy: key)
        record.confirm()
        #expect(record.freeSlot == .second)
        record.begin(record.freeSlot, version: version, signedBy: key)
        record.fallBack()
        #expect(record.slot == .first && record.state == .confirmed)
    }

    @Test mutating func `a third update takes the place of the first`() {
        for slot in [UpdateRecord.Slot.first, .second, .first] {
            #expect(record.freeSlot == slot)
            record.begin(record.freeSlot, version: version, signedBy: key)
            record.confirm()
        }
    }

    @Test mutating func `a confirmed update that is damaged leaves the package`() {
        record.begin(.first, version: version, signedBy: key)
        record.confirm()
        record.fallBack()
        #expect(record.slot == .package)
    }

    @Test mutating func `an update in the slot to which a board would go back leaves the package for that`() {
        record.begin(.first, version: version, signedBy: key)
        record.confirm()
        record.begin(.second, version: version, signedBy: key)
        record.begin(.first, version: version, signedBy: key)
        record.fallBack()
        #expect(record.slot == .package)
    }

    @Test mutating func `each slot has the version and the key of its own update`() {
        let laterKey = Bytes<65>([UInt8](1...65).span) ?? Bytes()
        let laterVersion = Bytes<3>([9, 9, 9].span) ?? Bytes()
        record.begin(.first, version: version, signedBy: key)
        record.confirm()
        record.begin(.second, version: laterVersion, signedBy: laterKey)
        #expect(record.operatorKey == laterKey && record.version == laterVersion)
        record.fallBack()
        #expect(record.operatorKey == key && record.version == version)
        #expect(record.failedVersion == laterVersion)
    }

    @Test mutating func `a record is read as it is written`() throws {
        record.begin(.second, version: version, signedBy: Bytes<65>([UInt8](1...65).span) ?? Bytes())
        _ = record.countStart()
        #expect(written(record).count == 156)
        #expect(read(written(record)) == record)
        record.fallBack()
        #expect(read(written(record)) == record)
    }

    @Test mutating func `a record with any wrong byte is none`() {
        record.begin(.second, version: version, signedBy: key)
        let bytes = written(record)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(read(changed) == nil)
            #expect(read(Array(bytes[..<index])) == nil)
        }
    }
}
