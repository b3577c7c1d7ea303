import Cryptography
import Testing

@Suite struct SelfTestTests {
    @Test func `every case of the self-test passes`() {
        var names: [String] = []
        var failed: [String] = []
        let first = CryptographySelfTest.run(entropy: .system) { name, passed in
            names.append("\(name)")
            if !passed { failed.append("\(name)") }
        }
        #expect(failed == [])
        #expect(first == nil)
        #expect(names.count == 14)
    }

    @Test func `the self-test names the first case that fails`() {
        let noEntropy = Entropy { _, _, _ in Entropy.failure }
        var failed: [String] = []
        let first = CryptographySelfTest.run(entropy: noEntropy) { name, passed in
            if !passed { failed.append("\(name)") }
        }
        #expect(
            failed == [
                "P-256 ECDSA in slices, RFC 6979 A.2.5", "P-256, all three in turns",
                "P-256, fresh keys differ",
            ])
        #expect(first.map { "\($0)" } == failed.first)
    }
}
