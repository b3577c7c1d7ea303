import HCI
import Peers

/// One report, as the agent was given it.
struct HeardReport {
    let address: DeviceAddress
    /// What its sender is known by: the pseudo device address that it says, else its address.
    let peer: PeerKey
    /// Nil where the controller did not measure it.
    let rssiDBm: Int8?
    /// It tells that the radio works: with data and signal strength, no scan response, and of the kind asked for.
    let isGood: Bool
    /// Its sender takes part: an encounter begins with it.
    let isParticipant: Bool
    /// Its sender takes part, or might.
    let isOfInterest: Bool
    let milliseconds: UInt64
}
