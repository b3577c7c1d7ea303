import Backups
import FixedMemory
import Schemes
import TestSupport
import Testing

/// Tests which secrets of a backup a board gets.
@Suite struct BackedUpSecretsTests {
    private let registration = BackedUpSecrets.sonarRegistration(record: [1, 2, 3])

    /// The keys of 10 days from day 100 on.
    private var keys: DayKeys {
        get throws {
            var job = DayKeysJob(
                CovidTracerRootKey(Bytes([UInt8](1...32)) ?? Bytes()), firstDay: 100, dayCount: 10)
            let made = job.advance(hashLimit: .max)
            return try #require(made)
        }
    }

    @Test func `another board gets the day keys from today on`() throws {
        let keys = try keys
        guard
            case .given(.dayKeys(let given)) = BackedUpSecrets.dayKeys(keys).use(
                isSameBoard: false, today: 104)
        else { return #expect(Bool(false), "the board gets none") }
        #expect(given.firstDay == 104 && given.dayCount == 6)
        #expect(given.key(of: 109) == keys.key(of: 109))
    }

    @Test func `day keys that are all past are left out`() throws {
        let secrets = BackedUpSecrets.dayKeys(try keys)
        #expect(secrets.use(isSameBoard: false, today: 110) == .ended(109))
        #expect(secrets.use(isSameBoard: false, today: 109) != .ended(109))
    }

    @Test func `the same board keeps its day keys, and gets its registration`() throws {
        #expect(BackedUpSecrets.dayKeys(try keys).use(isSameBoard: true, today: 100) == .kept)
        #expect(registration.use(isSameBoard: true, today: 100) == .given(registration))
        #expect(registration.use(isSameBoard: false, today: 100) == .given(registration))
    }
}
