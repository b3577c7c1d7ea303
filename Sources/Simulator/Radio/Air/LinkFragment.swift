/// The payload of an LE data packet: a fragment of an L2CAP PDU.
struct LinkFragment {
    let bytes: [UInt8]
    /// Whether the fragment begins a PDU.
    let isFirst: Bool
}
