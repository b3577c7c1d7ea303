import HCI
import Schemes

/// The advertising sets besides the first. Exposure Notification's is first in the list. If the controller
/// has few sets, that scheme gets one, because time-multiplexing it costs the most.
package struct AdditionalAdvertisingSets: BitwiseCopyable {
    /// The planned content of each set; nil for a set that must be off.
    typealias Contents = InlineArray<3, SetContent?>

    private var sets: InlineArray<3, AdditionalAdvertisingSet> = [
        AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification)),
        AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar)),
        AdditionalAdvertisingSet(AdvertisingHandle(of: .bleProximity)),
    ]

    var areAnyOn: Bool {
        for index in sets.indices where sets[index].isOn { return true }
        return false
    }

    /// Whether a scheme has no set of its own, or the controller has refused it.
    func isRefused(_ scheme: SchemeID) -> Bool {
        let handle = AdvertisingHandle(of: scheme)
        for index in sets.indices where sets[index].handle == handle { return sets[index].isRefused }
        return true
    }

    /// Stops a set whose content must change. Call it before the first set's commands, so that the board's
    /// old and new address are never on the air together.
    mutating func nextStop(towards contents: Contents) -> Command? {
        for index in sets.indices {
            if let command = sets[index].nextStop(towards: contents[index]) { return command }
        }
        return nil
    }

    /// The next command towards `contents`; nil if every set has its content.
    mutating func nextCommand(towards contents: Contents, settings: RadioSettings) -> Command? {
        for index in sets.indices {
            if let command = sets[index].nextCommand(towards: contents[index], settings: settings) {
                return command
            }
        }
        return nil
    }

    /// Processes the answer to the last command of any set.
    /// - Returns: false if no set waits for an answer.
    mutating func didReceiveAnswer(_ status: Status) -> Bool {
        for index in sets.indices {
            if sets[index].didReceiveAnswer(status) { return true }
        }
        return false
    }

    mutating func didAcceptConnection() {
        for index in sets.indices { sets[index].didAcceptConnection() }
    }

    package mutating func restart() {
        for index in sets.indices { sets[index].restart() }
    }
}
