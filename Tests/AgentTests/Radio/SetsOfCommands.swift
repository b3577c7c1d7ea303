import HCI

/// The state of a controller's advertising sets after the commands it was given.
struct SetsOfCommands {
    private(set) var on: Set<UInt8> = []
    private(set) var addresses: [UInt8: [UInt8]] = [:]
    /// The number of data commands by set.
    private(set) var dataCounts: [UInt8: Int] = [:]
    private(set) var isScanning = false
    /// Commands that a controller would refuse, and commands that would link two addresses of the board.
    private(set) var violations: [String] = []
    /// The set of Exposure Notification, which has an address of its own.
    private static let broadcast: UInt8 = 1

    mutating func record(_ opCode: OpCode, _ parameters: [UInt8]) {
        switch opCode {
        case .reset: self = SetsOfCommands()
        case .leSetRandomAddress where !on.subtracting([Self.broadcast]).isEmpty || isScanning:
            violations.append("our address changes while it is in use")
        case .leSetExtendedScanEnable: isScanning = parameters[0] == 1
        case .leSetExtendedAdvertisingParameters: require(isOff: parameters[0], "parameters")
        case .leSetAdvertisingSetRandomAddress:
            require(isOff: parameters[0], "address")
            addresses[parameters[0]] = Array(parameters[1...])
        case .leSetExtendedAdvertisingData: dataCounts[parameters[0], default: 0] += 1
        case .leSetExtendedAdvertisingEnable: enable(parameters[2], parameters[0] == 1)
        case .leExtendedCreateConnection where !on.isEmpty || isScanning:
            violations.append("connecting beside other work")
        default: break
        }
    }

    private mutating func require(isOff set: UInt8, _ what: String) {
        if on.contains(set) { violations.append("\(what) of set \(set) while it goes out") }
    }

    private mutating func enable(_ set: UInt8, _ isOn: Bool) {
        guard isOn else {
            on.remove(set)
            return
        }
        on.insert(set)
        let ours = Set(on.subtracting([Self.broadcast]).compactMap { addresses[$0] })
        if ours.count > 1 { violations.append("two addresses at once") }
    }
}
