import FixedMemory
import GATT
import HCI

/// Links and their data.
extension SimulatedController {
    func opened(_ link: AirLink, isCentral: Bool) {
        let handle = newHandle()
        let peer: DeviceAddress
        if isCentral {
            settings.attempt = nil
            peer = link.peripheralAddress
        } else {
            // Legacy advertising ends by itself when a central connects.
            settings.isAdvertising = false
            peer = link.central.linkAddress
        }
        if faults.has(.rolesStoppedByConnection) {
            settings.isAdvertising = false
            settings.isScanning = false
        }
        handles.append(HandledLink(handle: handle, link: link, peer: peer))
        truth.linkCount &+= 1
        link.isUnreported = !isUnmasked(0x3e, [1])
        updateAir()
        guard faults.has(.earlyData) else {
            return connectionComplete(
                .success, handle: handle, role: isCentral ? 0 : 1, peer: peer, link.parameters)
        }
        let time = world.now + faultRandom.duration(upTo: .milliseconds(100))
        lateOpenings.append(LateOpening(handle: handle, isCentral: isCentral, time: time))
        setAlarm(ControllerAlarm.earlyData, at: time)
    }

    /// Reports the links whose data were ahead of their event.
    ///
    /// - Parameter ending: a link whose end is reported next.
    func reportLateOpenings(ending: UInt16? = nil) {
        let due = lateOpenings.filter { $0.time <= world.now || $0.handle == ending }
        lateOpenings.removeAll { $0.time <= world.now || $0.handle == ending }
        for opening in due {
            guard let handled = handles.first(where: { $0.handle == opening.handle }) else { continue }
            connectionComplete(
                .success, handle: opening.handle, role: opening.isCentral ? 0 : 1, peer: handled.peer,
                handled.link.parameters)
        }
    }

    func closed(_ link: AirLink, reason: UInt8) {
        guard let index = handles.firstIndex(where: { $0.link === link }) else { return }
        let handle = handles[index].handle
        reportLateOpenings(ending: handle)
        handles.remove(at: index)
        guard !faults.has(.untoldEndings) else {
            untoldHandles.insert(handle)
            return
        }
        event(0x05, [0, UInt8(handle & 255), UInt8(handle >> 8), reason])
    }

    func connectionComplete(
        _ status: Status, handle: UInt16, role: UInt8, peer: DeviceAddress, _ parameters: LinkParameters
    ) {
        let head: [UInt8] = [
            1, status.rawValue, UInt8(handle & 255), UInt8(handle >> 8), role, peer.addressType,
        ]
        event(0x3e, head + peer.littleEndianBytes + Self.bytes(of: parameters) + [0])
    }

    /// Answers Read RSSI with the strength at which the link's peer is received.
    func readRSSI(_ parameters: [UInt8]) {
        let handle = parameters.span.loadUInt16(at: 0)
        guard let link = handles.first(where: { $0.handle == handle })?.link else {
            return answer(.readRSSI, .unknownConnection, Array(parameters[0..<2]) + [0])
        }
        let rssi = world.air.rssiDBm(from: link.peer(of: self), to: self)
        answer(.readRSSI, .success, Array(parameters[0..<2]) + [UInt8(bitPattern: rssi)])
    }

    // MARK: Data

    func receiveData(_ packet: [UInt8]) {
        let word = packet.span.loadUInt16(at: 1)
        let data = Array(packet[5...])
        guard data.count == Int(packet.span.loadUInt16(at: 3)) else {
            return recordViolation("data of another length")
        }
        // The link may have ended while the packet was on its way. The host could not know that.
        guard let index = handles.firstIndex(where: { $0.handle == word & 0xfff }) else { return }
        guard data.count <= profile.aclByteCount else {
            if !mayHaveFalseBufferSize, !believesInBuffers { recordViolation("a data packet too long") }
            return
        }
        guard let boundary = ACLBoundary(rawValue: UInt8(word >> 12 & 3)), word >> 14 == 0,
            boundary == .firstNonFlushable || boundary == .continuation
        else { return recordViolation("a boundary flag that hosts must not send") }
        guard handles.reduce(0, { $0 + $1.piecesHeld.count }) < profile.aclPacketCount else {
            if !mayHaveFalseBufferSize, !believesInBuffers, !handles.contains(where: \.mayHaveFalseCredit) {
                recordViolation("more data than buffers")
            }
            return event(0x1a, [1])
        }
        // A packet on the air has at most 27 bytes, because no device here negotiates a longer length.
        let starts = stride(from: 0, to: max(data.count, 1), by: Self.airByteCount)
        handles[index].piecesHeld.append(starts.reduce(0) { count, _ in count + 1 })
        let link = handles[index].link
        for start in starts {
            let piece = Array(data[start..<min(start + Self.airByteCount, data.count)])
            link.send(
                LinkFragment(bytes: piece, isFirst: start == 0 && boundary == .firstNonFlushable), from: self)
        }
    }

    private static let airByteCount = 27

    /// Whether an injected packet may have told the host of buffers that do not exist.
    private var believesInBuffers: Bool { script?.falseBeliefs.contains(.buffers) == true }

    func acknowledged(on link: AirLink) {
        if let script, script.holdsCredits { return script.heldCredits.append(link) }
        guard let index = handles.firstIndex(where: { $0.link === link }),
            let pieces = handles[index].piecesHeld.first
        else { return }
        guard pieces == 1 else {
            handles[index].piecesHeld[0] = pieces - 1
            return
        }
        handles[index].piecesHeld.removeFirst()
        if faults.has(.duplicateEvents) || faults.has(.corruptedStream) {
            handles[index].mayHaveFalseCredit = true
        }
        let handle = handles[index].handle
        event(0x13, [1, UInt8(handle & 255), UInt8(handle >> 8), 1, 0])
    }

    func arrived(_ fragment: LinkFragment, on link: AirLink) {
        guard let handle = handles.first(where: { $0.link === link })?.handle else { return }
        let boundary: ACLBoundary = fragment.isFirst ? .firstFlushable : .continuation
        let word = handle | UInt16(boundary.rawValue) << 12
        let count = fragment.bytes.count
        send(
            [
                PacketIndicator.aclData.rawValue, UInt8(word & 255), UInt8(word >> 8), UInt8(count & 255),
                UInt8(count >> 8),
            ] + fragment.bytes, after: profile.reportDelay)
    }
}
