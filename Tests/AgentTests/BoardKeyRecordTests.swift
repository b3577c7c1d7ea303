import Agent
import Cryptography
import FixedMemory
import TestSupport
import Testing

@Suite struct BoardKeyRecordTests {
    private let keys: BoardKeys

    init() throws {
        keys = try BoardKeys(
            boardScalar: P256PrivateKey(entropy: .system).scalarBytes(),
            ownerKey: P256PrivateKey(entropy: .system).publicKey,
            operatorKey: P256PrivateKey(entropy: .system).publicKey, entropy: .system)
    }

    private func decoded(_ record: [UInt8]) -> Result<BoardKeys, BoardKeyRecordError> {
        do throws(BoardKeyRecordError) {
            return .success(try BoardKeyRecord.decode(record.span, entropy: .system))
        } catch {
            return .failure(error)
        }
    }

    @Test func `a record is read back as it was written`() throws {
        var some = keys
        #expect(decoded(BoardKeyRecord.encode(some).span.array) == .success(some))
        some.publicHalves.ownerKey = nil
        #expect(decoded(BoardKeyRecord.encode(some).span.array) == .success(some))
        some.publicHalves.operatorKey = nil
        #expect(decoded(BoardKeyRecord.encode(some).span.array) == .success(some))
    }

    @Test func `every flipped bit is detected`() {
        let record = BoardKeyRecord.encode(keys).span.array
        for bit in 0..<record.count * 8 {
            var changed = record
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let expected: BoardKeyRecordError =
                bit < 64 ? .foreign : bit < 72 ? .unknownVersion(changed[8]) : .damaged
            #expect(decoded(changed) == .failure(expected), "bit \(bit)")
        }
    }

    @Test func `a truncated or extended record is refused`() {
        let record = BoardKeyRecord.encode(keys).span.array
        for count in 9..<record.count {
            #expect(decoded(Array(record[..<count])) == .failure(.damaged), "\(count) bytes")
        }
        #expect(decoded(record + [0]) == .failure(.damaged))
        for count in 0..<9 { #expect(decoded(Array(record[..<count])) == .failure(.foreign)) }
    }
}
