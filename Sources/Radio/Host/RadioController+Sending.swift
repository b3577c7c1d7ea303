import FixedMemory
import GATT
import HCI
import Protocols

/// What goes to the controller.
extension RadioController {
    /// The next packet to send, if one may be sent now. It counts as sent.
    package mutating func takePacket(nowMilliseconds now: UInt64, into packet: inout FixedBuffer<1100>)
        -> Bool
    {
        packet.removeAll()
        guard state != .halted else { return false }
        if slot.canSend, let command = nextCommand(nowMilliseconds: now) {
            slot.didSend(command.opCode, atMilliseconds: now)
            return (try? packet.append(command.packet.span)) != nil
        }
        return state == .running && aclCredits > 0 && takeData(into: &packet)
    }

    private mutating func nextCommand(nowMilliseconds now: UInt64) -> Command? {
        guard state == .running else { return bringUp.command }
        if let handle = takeSurplus() { return .disconnect(handle) }
        for index in links.indices {
            guard let link = links.slots[index] else { continue }
            if link.wantsKey {
                links.slots[index]?.wantsKey = false
                return .leLongTermKeyRequestNegativeReply(link.handle)
            }
            if link.ending == .wanted {
                links.slots[index]?.ending = .asked(deadline: now + link.endingTimeoutMilliseconds)
                disconnecting = link.handle
                return .disconnect(link.handle)
            }
            if link.wantsRSSI {
                links.slots[index]?.wantsRSSI = false
                return .readRSSI(link.handle)
            }
            if let wanted = link.wantedParameters {
                links.slots[index]?.wantedParameters = nil
                let timeout = SupervisionTimeout(tens: wanted.supervisionTimeout)
                if timeout.milliseconds > link.supervisionTimeout.milliseconds {
                    links.slots[index]?.supervisionTimeout = timeout
                }
                return .leConnectionUpdate(
                    link.handle, intervalMinimum: wanted.intervalMinimum,
                    intervalMaximum: wanted.intervalMaximum, latency: wanted.latency,
                    supervisionTimeout: wanted.supervisionTimeout)
            }
        }
        if case .overdue(let peer) = connecting {
            connecting = .cancelled(peer, deadline: now + 2 * CommandSlot.timeoutMilliseconds)
            return .leCreateConnectionCancel
        }
        if roles.commands == .extended,
            let command = furtherSets.nextStop(towards: furtherContents())
        {
            return command
        }
        let plan = plan(nowMilliseconds: now)
        if let command = roles.nextCommand(towards: plan, settings: settings, nowMilliseconds: now) {
            if command.opCode == roles.commands.advertisingEnable { serveIdentity() }
            return command
        }
        if roles.commands == .extended,
            let command = furtherSets.nextCommand(towards: furtherContents(), settings: settings)
        {
            return command
        }
        if case .wanted(let peer, let deadline) = connecting, !roles.isAnyOn, !furtherSets.areAnyOn,
            roles.address == identity.address, hasSlotForLink
        {
            connecting = .asked(peer, deadline: deadline)
            return roles.commands.createConnection(to: peer, settings)
        }
        return now >= hearing.lastPacketMilliseconds + Self.probeIntervalMilliseconds
            ? .readDeviceAddress : nil
    }

    private mutating func takeData(into packet: inout FixedBuffer<1100>) -> Bool {
        guard let index = links.takeNextToSend(), let handle = links.slots[index]?.handle else {
            return false
        }
        let byteCount = information.aclDataByteCount
        var data = FixedBuffer<1024>()
        guard let boundary = links.slots[index]?.gatt.nextFragment(maximumByteCount: byteCount, into: &data)
        else {
            return false
        }
        links.slots[index]?.packetsInController += 1
        aclCredits -= 1
        do throws(CapacityError) {
            try packet.append(PacketIndicator.aclData.rawValue)
            try packet.append(littleEndian: handle.rawValue | UInt16(boundary.rawValue) << 12)
            try packet.append(littleEndian: UInt16(truncatingIfNeeded: data.count))
            try packet.append(data.span)
        } catch {
            return false
        }
        return true
    }
}
