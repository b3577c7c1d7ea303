extension LinkFragment {
    /// Limits the MTU in an Exchange MTU request or response (opcodes 02 and 03). A stack with a maximum
    /// below 517 bytes sends that value, and assumes no more of its peer.
    func limited(toMTU mtu: UInt16) -> LinkFragment {
        guard mtu < 517, bytes.count == 7, bytes[0] == 3, bytes[1] == 0, bytes[2] == 4,
            bytes[4] == 2 || bytes[4] == 3
        else { return self }
        return LinkFragment(bytes: bytes[..<5] + [UInt8(mtu & 255), UInt8(mtu >> 8)], isFirst: isFirst)
    }
}
