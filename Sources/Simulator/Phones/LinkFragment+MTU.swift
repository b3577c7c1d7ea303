extension LinkFragment {
    /// A stack that knows less than 517 bytes says so, and believes the same of others: PDUs 02 and 03 are changed on the way.
    func limited(toMTU mtu: UInt16) -> LinkFragment {
        guard mtu < 517, bytes.count == 7, bytes[0] == 3, bytes[1] == 0, bytes[2] == 4,
            bytes[4] == 2 || bytes[4] == 3
        else { return self }
        return LinkFragment(bytes: bytes[..<5] + [UInt8(mtu & 255), UInt8(mtu >> 8)], isFirst: isFirst)
    }
}
