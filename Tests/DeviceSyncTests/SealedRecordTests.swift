import DeviceSync
import FixedMemory
import Testing

/// Tests that secrets reach only the board for which they were sealed.
@Suite struct SealedRecordTests {
    @Test func `a record that was sealed for another board, or changed on the way, is refused`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        let record = (1...40).map { UInt8($0) }
        let whole = try scene.sealed(record)
        #expect(try scene.refusal(ofSecrets: whole) == nil)
        #expect(scene.secrets == record)
        scene.secrets = nil
        for place in [0, 40, 64, 80, whole.count - 1] {
            var changed = whole
            changed[place] ^= 1
            #expect(try scene.refusal(ofSecrets: changed) == .secretsRefused, "byte \(place)")
        }
        let other = try SignedCommandScene(isProvisioned: false).sealed(record)
        #expect(try scene.refusal(ofSecrets: other) == .secretsRefused)
        #expect(try scene.refusal(ofSecrets: Array(whole.prefix(80))) == .invalidValue)
        #expect(scene.secrets == nil)
    }
}
