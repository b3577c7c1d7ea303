import Cryptography
import FixedMemory

extension HeraldKeySchedule {
    /// Makes a schedule from a root of 32 random bytes, which a board draws for itself.
    ///
    /// The root stands for the secret that it expands to, SHA-256(root ‖ 00) ‖ SHA-256(root ‖ 01) ‖ … ‖
    /// SHA-256(root ‖ 3F). Day 0 is the root's first day (docs/herald-identity.md).
    public init(root: Bytes<32>, firstDay: UInt32) {
        var secret = SHA256()
        for count in 0..<UInt8(Self.secretByteCount / 32) {
            var part = SHA256()
            part.update(root.span)
            var counter = Bytes<1>()
            counter[0] = count
            part.update(counter.span)
            var digest = part.finish()
            secret.update(digest.span)
            digest.wipe()
        }
        self.init(lastSeed: secret.finish(), epochDay: firstDay)
    }
}
