import EncounterLog
import GATT
import Peers

/// The reading of a device's model and manufacturer (Device Information Service).
struct DeviceReading: BitwiseCopyable {
    var isWanted: Bool
    private var modelHandle: UInt16 = 0
    private var manufacturerHandle: UInt16 = 0

    init(isWanted: Bool) { self.isWanted = isWanted }

    mutating func record(_ findings: CharacteristicFindings) {
        modelHandle = findings.characteristic?.valueHandle ?? 0
        manufacturerHandle = findings.other(0)?.valueHandle ?? 0
    }

    /// The next detail to read. Its handle is forgotten.
    mutating func next() -> (PeerDetail, handle: UInt16)? {
        if modelHandle != 0 {
            defer { modelHandle = 0 }
            return (.model, modelHandle)
        }
        if manufacturerHandle != 0 {
            defer { manufacturerHandle = 0 }
            return (.manufacturer, manufacturerHandle)
        }
        return nil
    }

    mutating func forget() {
        modelHandle = 0
        manufacturerHandle = 0
    }
}
