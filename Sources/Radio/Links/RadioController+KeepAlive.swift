import Cryptography
import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Phones of Sonar stay connected, and keep each other awake. Who has asked for it is told a byte every eight seconds, and
/// how strong we hear it is asked as often.
extension RadioController {
    private static var keepAliveIntervalMilliseconds: UInt64 { 8_000 }

    /// - Parameter keptCount: how many links are kept already. Half of the places are for others.
    /// - Returns: whether this one may be idle.
    mutating func keepAlive(
        _ index: Int, keptCount: inout Int, nowMilliseconds now: UInt64
    ) -> Bool {
        guard let link = links.slots[index], link.ending == .no, server.wantsKeepAlives(index) else {
            return false
        }
        if now >= link.nextKeepAliveMilliseconds { sendKeepAlive(index, nowMilliseconds: now) }
        keptCount += 1
        return keptCount <= min(settings.linkLimit, roles.refusedLinkCount) / 2
    }

    /// A random byte, another than the last: those of the original were counted up at first, and gave away whose they were
    /// over midnight.
    private mutating func sendKeepAlive(_ index: Int, nowMilliseconds now: UInt64) {
        var byte = Bytes<1>()
        var bytes = byte.mutableSpan
        guard let handle = table.handle(of: IdentityServer.keepAlive), (try? entropy.fill(&bytes)) != nil,
            let last = links.slots[index]?.lastKeepAlive
        else { return }
        if byte[0] == last { byte[0] = ~last }
        guard links.slots[index]?.gatt.notify(byte.span, handle: handle) == true else { return }
        links.slots[index]?.lastKeepAlive = byte[0]
        links.slots[index]?.nextKeepAliveMilliseconds = now + Self.keepAliveIntervalMilliseconds
        links.slots[index]?.wantsRSSI = true
    }

    /// How strong we hear the peer of a link: status, handle, dBm. Bluetooth Core 5.4, Vol 4, Part E, 7.5.4.
    mutating func noteRSSI(_ returned: Span<UInt8>, recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard returned.count >= 4, returned[0] == Status.success.rawValue,
            let index = links.find(ConnectionHandle(rawValue: returned.loadUInt16(at: 1))),
            let peer = links.slots[index]?.peer, let rssi = RSSI(dBm: Int8(bitPattern: returned[3]))
        else { return }
        recorder.noteReading(rssi, onLinkTo: peer, nowMilliseconds: now)
    }
}
