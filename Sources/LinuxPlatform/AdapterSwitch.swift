/// The power switch of a named adapter. It switches on the same adapter that it switched off, because by then
/// the name may refer to another adapter, or to none.
struct AdapterSwitch: BitwiseCopyable {
    /// The number of the adapter that is switched off.
    private var offNumber: UInt16?

    /// - Parameters:
    ///   - find: Returns the number of the named adapter, if it exists now.
    ///   - set: Switches the adapter with this number and returns whether that worked.
    /// - Returns: Whether an adapter was switched.
    mutating func turn(on isOn: Bool, find: () -> UInt16?, set: (UInt16, Bool) -> Bool) -> Bool {
        if isOn, let number = offNumber {
            offNumber = nil
            if set(number, true) { return true }
            // The adapter has been removed, so its power state no longer matters.
        }
        guard let number = find(), set(number, isOn) else { return false }
        offNumber = isOn ? nil : number
        return true
    }
}
