/// The former keys of the last 16 peers that were merged with a later address. No device returns to an
/// address, so a peer that appears under one of these keys is another device with the same payload.
struct FormerKeys: BitwiseCopyable {
    private var keys: InlineArray<16, PeerKey?> = InlineArray(repeating: nil)
    private var next = 0

    mutating func insert(_ key: PeerKey) {
        guard !contains(key) else { return }
        keys[next] = key
        next = (next + 1) % keys.count
    }

    func contains(_ key: PeerKey) -> Bool {
        for index in keys.indices where keys[index] == key { return true }
        return false
    }
}
