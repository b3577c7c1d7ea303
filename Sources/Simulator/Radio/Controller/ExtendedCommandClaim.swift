/// The controller's claim about the extended commands: LE feature 12 and the bits of its supported
/// commands. The claim may be wrong. Version 5.0 does not imply the commands: BCM4345C0 of the Pi 3 and 4
/// has none (canonical/checkbox #2130, beacontools #65).
public enum ExtendedCommandClaim: Sendable {
    /// The controller claims what its profile has.
    case truth
    /// It claims the feature, but none of the commands.
    case featureAlone
    /// It claims the feature and the commands, but knows none of them.
    case featureAndCommands
}
