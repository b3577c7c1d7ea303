import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Data and keep-alives on a link.
extension Link {
    /// Takes one ACL packet's data, and acts on what it completes.
    mutating func receive(
        _ data: Span<UInt8>, boundary: ACLBoundary, recorder: inout Recorder, context: inout RadioContext,
        now: Instant
    ) {
        lastActivity = now
        context.server.herald.now = now
        let outcome = gatt.receive(
            data, boundary: boundary, link: slot, table: context.table, delegate: &context.server)
        if let parameters = outcome.connectionParameters { requests.set(parameters) }
        if let event = outcome.clientEvent {
            procedureEnded(event, recorder: &recorder, context: &context, now: now)
        } else if !context.messages.isEmpty {
            startNextProcedure(recorder: &recorder, context: &context, now: now)
        }
    }

    /// Sends a keep-alive that is due to a phone that has subscribed to them.
    /// - Parameter pinnedCount: The number of links that are pinned already; counts this one.
    /// - Parameter limit: The number of links that may be pinned.
    mutating func keepAlive(pinnedCount: inout Int, limit: Int, context: inout RadioContext, now: Instant) {
        guard phase == .open, context.server.wantsKeepAlives(slot) else {
            keepAlive.isPinned = false
            return
        }
        if keepAlive.isDue(now: now) { sendKeepAlive(context, now: now) }
        pinnedCount += 1
        keepAlive.isPinned = pinnedCount <= limit
    }

    private mutating func sendKeepAlive(_ context: borrowing RadioContext, now: Instant) {
        guard let handle = context.table.handle(of: IdentityServer.keepAlive),
            let byte = keepAlive.nextByte(context.entropy)
        else { return }
        var value = Bytes<1>()
        value[0] = byte
        guard gatt.notify(value.span, handle: handle) else { return }
        keepAlive.didSend(byte, now: now)
        requests.readRSSI()
    }
}
