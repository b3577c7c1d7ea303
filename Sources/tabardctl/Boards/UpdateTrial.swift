import BoardLink
import CommandLineText
import DeviceSync
import Foundation

/// Follows a board from the start of an update to its end.
struct UpdateTrial {
    let port: String
    let baud: UInt32
    /// The status of the agent that took the update.
    let before: BoardStatus

    /// Three starts of five minutes each, and some time to start them.
    private static let limit: TimeInterval = 17 * 60
    private static let pauseMicroseconds: UInt32 = 1_000_000

    /// Waits until the board keeps the new agent.
    /// - Throws: a failure if it goes back to the one before, or does not answer.
    func finish() throws(Failure) {
        let end = Date().addingTimeInterval(Self.limit)
        var hasBegun = false
        while Date() < end, !Interruption.isRequested {
            usleep(Self.pauseMicroseconds)
            // Without an answer the agent is ending or starting, or the USB port is gone for a moment.
            guard let status = status(), status.bootIdentifier != before.bootIdentifier,
                let update = status.update
            else { continue }
            if update.isOnTrial {
                if !hasBegun { Console.report("version \(status.versionText) runs on trial") }
                hasBegun = true
            } else if update.slot == 0 || update.slot == before.update?.slot {
                throw Failure(
                    .unavailable,
                    "the new agent did not run well; the board has gone back to version "
                        + "\(status.versionText). Its journal says more: journalctl -u tabard")
            } else {
                return Console.print("the board keeps version \(status.versionText)")
            }
        }
        throw Failure(
            .tryAgain,
            Interruption.isRequested
                ? "stopped waiting; the board decides by itself. tabardctl devices shows which agent runs"
                : "the board has not kept the new agent, and does not say that it has gone back; look at "
                    + "tabardctl devices, and at its journal")
    }

    private func status() -> BoardStatus? {
        guard let client = try? BoardPorts.open(port, baud: baud) else { return nil }
        client.patience = .probe
        return try? client.status()
    }
}
