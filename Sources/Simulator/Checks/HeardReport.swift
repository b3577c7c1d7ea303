import FixedMemory
import HCI
import Peers

/// One advertising report as the agent got it.
struct HeardReport {
    let address: DeviceAddress
    /// The sender's key: its pseudo device address if it sends one, else its address.
    let peer: PeerKey
    /// Nil if the controller did not measure it.
    let rssiDBm: Int8?
    /// Whether the report proves that the radio works: it has data and signal strength, and is an advert,
    /// not a scan response, of the requested kind.
    let isGood: Bool
    /// Whether the sender takes part, so that an encounter begins.
    let isParticipant: Bool
    /// Whether the sender takes part, or might.
    let isOfInterest: Bool
    let instant: Instant
}
