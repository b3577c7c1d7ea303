import HCI
import Schemes

/// All advertising sets beside the first. Of those that are wanted at once Exposure Notification's comes
/// first, for where a controller has few: by turns it costs the most.
package struct AdditionalAdvertisingSets: BitwiseCopyable {
    /// What each is to say; nil: nothing.
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

    /// Stops one that is not to go on as it is. Comes before what the first set does: no two addresses are
    /// used at once.
    mutating func nextStop(towards contents: Contents) -> Command? {
        for index in sets.indices {
            if let command = sets[index].nextStop(towards: contents[index]) { return command }
        }
        return nil
    }

    /// The next command towards `contents`; nil when all of them are reached.
    mutating func nextCommand(towards contents: Contents, settings: RadioSettings) -> Command? {
        for index in sets.indices {
            if let command = sets[index].nextCommand(towards: contents[index], settings: settings) {
                return command
            }
        }
        return nil
    }

    /// Notes the answer to the command asked for last.
    /// - Returns: false where it is the answer to another.
    mutating func noteAnswer(_ status: Status) -> Bool {
        for index in sets.indices {
            if sets[index].noteAnswer(status) { return true }
        }
        return false
    }

    mutating func noteIncomingConnection() {
        for index in sets.indices { sets[index].noteIncomingConnection() }
    }

    package mutating func restart() {
        for index in sets.indices { sets[index].restart() }
    }
}
