/// The power of an adapter that is named. What goes on again is what was switched off: by then the name may mean another
/// adapter, or none.
struct AdapterSwitch: BitwiseCopyable {
    /// Of the adapter that is off.
    private var offNumber: UInt16?

    /// - Parameters:
    ///   - find: the number of the adapter that is meant now, if there is one.
    ///   - set: switches the adapter of that number, and tells whether it did.
    /// - Returns: whether an adapter was switched.
    mutating func turn(on isOn: Bool, find: () -> UInt16?, set: (UInt16, Bool) -> Bool) -> Bool {
        if isOn, let number = offNumber {
            offNumber = nil
            if set(number, true) { return true }
            // It has gone; its switch went with it.
        }
        guard let number = find(), set(number, isOn) else { return false }
        offNumber = isOn ? nil : number
        return true
    }
}
