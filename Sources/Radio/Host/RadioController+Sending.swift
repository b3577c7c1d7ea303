import FixedMemory
import GATT
import HCI
import Protocols

/// Packets to the controller.
extension RadioController {
    /// The next packet to send, if one may be sent now. It counts as sent.
    package mutating func takePacket(now: Instant, into packet: inout FixedBuffer<1100>)
        -> Bool
    {
        packet.removeAll()
        if host.canSendCommand, let command = nextCommand(now: now) {
            host.didSend(command.opCode, now: now)
            return (try? packet.append(command.packet.span)) != nil
        }
        return host.canSendData && takeData(into: &packet)
    }

    /// The next command. The order is part of the design: what ends something comes before what begins
    /// something.
    private mutating func nextCommand(now: Instant) -> Command? {
        guard state == .running else { return host.bringUpCommand }
        if let handle = excess.takeNext() { return .disconnect(handle) }
        if links.count > 0, let command = nextLinkCommand(now: now) { return command }
        if connector.commandCancellation(now: now) { return .leCreateConnectionCancel }
        if schedule.commands == .extended,
            let command = additionalSets.nextStop(towards: additionalContents())
        {
            return command
        }
        let plan = plan(now: now)
        if let command = schedule.nextCommand(towards: plan, settings: settings, now: now) {
            if command.opCode == schedule.commands.advertisingEnable { context.serveIdentity() }
            return command
        }
        if schedule.commands == .extended,
            let command = additionalSets.nextCommand(towards: additionalContents(), settings: settings)
        {
            return command
        }
        if !schedule.isAnyOn, !additionalSets.areAnyOn, schedule.address == address,
            connector.canConnect(besideLinks: links.count, settings), let peer = connector.commandCreation()
        {
            return schedule.commands.createConnection(
                to: peer, settings.duty.connecting, under: address)
        }
        if host.checksAddress, schedule.isAnyOn {
            host.checksAddress = false
            return .readDeviceAddress
        }
        return now >= statistics.lastPacket + Self.probeInterval
            ? .readDeviceAddress : nil
    }

    private mutating func nextLinkCommand(now: Instant) -> Command? {
        for slot in links.indices where !links[slot].isClosed {
            guard let command = links[slot].nextCommand(now: now) else { continue }
            if command.opCode == .disconnect { host.didSendDisconnect(links[slot].handle) }
            return command
        }
        return nil
    }

    private mutating func takeData(into packet: inout FixedBuffer<1100>) -> Bool {
        guard let slot = links.nextSender() else { return false }
        var data = FixedBuffer<1024>()
        let boundary = links[slot].gatt.nextFragment(
            maximumByteCount: information.aclDataByteCount, into: &data)
        guard let boundary else { return false }
        links[slot].packetsInController += 1
        host.didSendData()
        do throws(CapacityError) {
            try packet.append(PacketIndicator.aclData.rawValue)
            try packet.append(littleEndian: links[slot].handle.rawValue | UInt16(boundary.rawValue) << 12)
            try packet.append(littleEndian: UInt16(truncatingIfNeeded: data.count))
            try packet.append(data.span)
        } catch {
            return false
        }
        return true
    }
}
