/// What an LE data packet carries: a part of an L2CAP PDU.
struct LinkFragment {
    let bytes: [UInt8]
    /// Whether it begins a PDU.
    let isFirst: Bool
}
