/// By what those were known who have been merged with a later address, the last of them. No device goes back to an address
/// that it had: who is known by one of these again is another device, with the same payload.
struct FormerKeys: BitwiseCopyable {
    private var keys: InlineArray<16, PeerKey?> = InlineArray(repeating: nil)
    private var next = 0

    mutating func note(_ key: PeerKey) {
        guard !contains(key) else { return }
        keys[next] = key
        next = (next + 1) % keys.count
    }

    func contains(_ key: PeerKey) -> Bool {
        for index in keys.indices where keys[index] == key { return true }
        return false
    }
}
