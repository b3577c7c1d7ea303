/// The board around the radio: the controller's power, and the operator.
public protocol RadioBoard {
    /// Switches the power of the Bluetooth controller. Its transport must be closed.
    /// - Returns: whether the board can do that at all, and did.
    mutating func setRadioPower(_ isOn: Bool) -> Bool

    /// Reports an event of the radio to the operator.
    mutating func report(_ notice: RadioNotice)
}
