/// What a controller says of the extended commands (LE feature 12 and the bits of its supported commands), beside what is
/// true. Bluetooth 5.0 is no word for them: BCM4345C0 of the Pi 3 and 4 has none (canonical/checkbox #2130,
/// beacontools #65).
public enum ExtendedCommandClaim: Sendable {
    /// As its profile has it.
    case truth
    /// It has the feature, and none of the commands.
    case featureAlone
    /// It has the feature and the commands. It knows none of them.
    case featureAndCommands
}
