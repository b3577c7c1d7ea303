import DeviceSync
import FixedMemory
import Updates

/// An update of the agent that a client sends (docs/updates.md).
extension Agent {
    /// A client that got no answer to the last piece repeats it within that time.
    private static var updateDelay: Interval { .seconds(3) }

    /// Answers the announcement of an update with the place of its next piece.
    mutating func expectUpdate(byteCount: UInt32, digest: Bytes<32>) {
        do throws(UpdateRefusal) {
            let offset = try port.update.expect(byteCount: byteCount, digest: digest, on: &board)
            port.server.answer(updateOffset: offset, restarts: false)
        } catch {
            refuse(error)
        }
    }

    /// Stores the piece that the client has sent. With the last one, the launcher gets the file, and this
    /// agent ends.
    mutating func storeUpdatePiece(at offset: UInt32) {
        let piece = port.server.staged
        if plannedEnd?.ending == .updated {
            // The answer to the last piece was lost.
            let end = offset &+ UInt32(truncatingIfNeeded: piece.count)
            return port.server.answer(updateOffset: end, restarts: true)
        }
        do throws(UpdateRefusal) {
            try port.update.store(piece.span, at: offset, over: settings.softwareVersion, on: &board)
            let (next, isLast) = (port.update.receivedByteCount, port.update.isComplete)
            if isLast {
                try port.update.finish(signedBy: keys?.publicHalves.operatorKey, on: &board)
                // The log's open page is committed when the agent ends.
                // Writing it may have taken seconds.
                plannedEnd.plan(.updated, at: time.now + Self.updateDelay)
            }
            port.server.answer(updateOffset: next, restarts: isLast)
        } catch {
            refuse(error)
        }
    }

    private mutating func refuse(_ refusal: UpdateRefusal) {
        let reason = reason(for: .update(refusal))
        port.server.answer(updateRefusal: reason.span)
    }
}
