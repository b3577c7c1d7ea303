import FormalSimulation
import Simulator

/// The tested devices and their number, with the figures that the Herald project has published for as many
/// phones.
struct FormalTrial {
    let devices: FormalRun.Devices
    let count: Int
    /// The schemes that boards have on.
    var schemes = FormalRun.Schemes.delivered
    /// `radio.duty` of the boards.
    var duty = BoardDuty.continuous
    /// The number of phones of other schemes in the room.
    var otherCount = 0

    /// The trials of `make formal`.
    static let all: [FormalTrial] = [
        FormalTrial(devices: .tabard, count: 10), FormalTrial(devices: .tabard, count: 4),
        FormalTrial(devices: .mixed, count: 10), FormalTrial(devices: .mixed, count: 4),
        FormalTrial(devices: .android1, count: 10), FormalTrial(devices: .android2, count: 10),
        FormalTrial(devices: .android2, count: 4),
    ]

    var name: String {
        switch schemes {
        case .delivered: "\(count) \(words)" + (duty == .continuous ? "" : ", \(duty)")
        case .herald: "  Herald alone"
        case .all: "  five schemes"
        }
    }

    /// The name of the room, which several trials share.
    var room: String {
        otherCount == 0
            ? "\(count) \(words)" : "\(count) \(words), \(otherCount) phones of other schemes beside"
    }

    private var words: String {
        switch devices {
        case .tabard: "Tabard"
        case .mixed: "half phones"
        case .android1: "control, 1.0"
        case .android2: "control, 1.1"
        }
    }

    /// Detection, continuity and longevity in percent, from Herald's own formal tests (docs/formal-test.md).
    var published: (name: String, detection: Double, continuity: Double, longevity: Double)? {
        guard schemes == .delivered else { return nil }
        return switch (devices, count) {
        case (.android2, 10): nil
        case (_, 10): ("Herald 1.0, published", 100, 93.06, 98.50)
        case (_, 4): ("Herald 1.1, published", 100, 99.991, 100)
        default: nil
        }
    }

    /// The goals of the trial. Figures of the control are published only for Herald's own number of changing
    /// phones.
    ///
    /// - Parameter changingCount: In the control, the number of phones that change their addresses.
    func goals(changingCount: Int) -> FormalGoals? {
        guard schemes == .delivered else { return nil }
        if duty != .continuous { return .dutyCycledBoards }
        return switch devices {
        case .tabard, .mixed: .boards
        case .android1 where count == 10 && changingCount == FormalRun.Options().changingCount: .control
        case .android1, .android2: nil
        }
    }
}
