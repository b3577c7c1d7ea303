import HCI

extension SimulatedController {
    /// The state that the host has set. A reset clears it.
    struct Settings {
        /// Bluetooth Core 5.4, Vol 4, Part E, 7.3.1: LE events are not enabled by default.
        var eventMask: UInt64 = 0x0000_1fff_ffff_ffff
        var lowEnergyEventMask: UInt64 = 0x1f
        var randomAddress: DeviceAddress?
        var scanUsesRandomAddress = false
        var isScanActive = false
        var scanInterval: UInt16 = 0x10
        var scanWindow: UInt16 = 0x10
        var filtersDuplicates = false
        var isScanning = false
        /// Whether the host has set parameters since the last reset; the same for advertising below.
        var hasScanParameters = false
        /// Whether the last scan parameters were refused because the controller scans.
        var hasRefusedForScan = false
        var hasAdvertisingParameters = false
        var advertisingInterval: UInt16 = 0x800
        var advertisingType: UInt8 = 0
        var advertisingUsesRandomAddress = false
        var advertisingData: [UInt8] = []
        var scanResponseData: [UInt8] = []
        var isAdvertising = false
        var attempt: Attempt?
        /// Whether the controller accepts extended or legacy commands until the next reset; nil before the
        /// first such command.
        var takesExtended: Bool?
        var hasAdvertisingSet = false
        /// The random address of the advertising set, for the extended commands.
        var setAddress: DeviceAddress?

        /// Whether the event masks let reports through: extended ones, if the controller takes extended
        /// commands and `isExtended`, else legacy ones.
        func areReportsUnmasked(isExtended: Bool) -> Bool {
            let bit = isExtended && takesExtended == true ? 12 : 1
            return eventMask >> 61 & 1 == 1 && lowEnergyEventMask >> bit & 1 == 1
        }
    }

    /// Whether the controller scans, but the event masks keep back all its reports: it has forgotten them. It
    /// refuses scan parameters as ever, so only the missing reports show that.
    var isScanMasked: Bool {
        truth.scanningSince != nil && !settings.areReportsUnmasked(isExtended: true)
    }

    /// A connection attempt of the host.
    struct Attempt {
        let peer: DeviceAddress
        let usesRandomAddress: Bool
        let scanInterval: UInt16
        let scanWindow: UInt16
        let parameters: LinkParameters
        var start: SimulatedTime
    }

    /// A link, with the data packets of the host that the peer has not acknowledged.
    struct HandledLink {
        let handle: UInt16
        let link: AirLink
        let peer: DeviceAddress
        /// The number of pieces left to deliver of each packet, oldest first.
        var piecesHeld: [Int] = []
        /// Whether the host may have received Number Of Completed Packets twice, or with a wrong count. It
        /// may then send more packets than there are buffers, and cannot know better.
        var mayHaveFalseCredit = false
        var isBeginning = true
    }

    /// A link whose event comes after its first data.
    struct LateOpening {
        let handle: UInt16
        let isCentral: Bool
        let time: SimulatedTime
    }

    /// Reports that wait to share an event.
    struct HeldReports {
        var bytes: [UInt8] = []
        var count = 0
        var content = HCITransport.Content.useless
        var sending = SimulatedTime.never
    }
}
