import HCI

/// Advertising reports to the host.
extension SimulatedController {
    /// - Parameter asked: The advert that this scan response answers.
    func report(_ advertisement: Advertisement, rssiDBm: Int8, askedOf asked: Advertisement? = nil) {
        let data = faults.has(.emptyReports) ? [] : advertisement.data
        let rssiDBm = faults.has(.unknownRSSI) ? 127 : rssiDBm
        let content: HCITransport.Content =
            data.count == advertisement.data.count && rssiDBm != 127 ? .good : .useless
        if settings.takesExtended == true {
            return sendReport(extended(advertisement, data, rssiDBm, askedOf: asked), content)
        }
        if faults.has(.extendedReports) {
            let data = advertisement.data
            return sendReport(extended(advertisement, data, rssiDBm, askedOf: asked), .useless)
        }
        if profile.reportsPerEvent > 1 { return hold(advertisement, data, rssiDBm, content) }
        var packet = [UInt8]()
        packet.reserveCapacity(15 + data.count)
        packet.append(PacketIndicator.event.rawValue)
        packet.append(0x3e)
        packet.append(UInt8(12 + data.count))
        packet.append(2)
        packet.append(1)
        append(advertisement, data, rssiDBm, to: &packet)
        sendReport(packet, content)
    }

    private func append(
        _ advertisement: Advertisement, _ data: [UInt8], _ rssiDBm: Int8, to packet: inout [UInt8]
    ) {
        let address = advertisement.address
        packet.append(advertisement.kind.rawValue)
        packet.append(addressType(of: address))
        for shift in 0..<UInt64(6) {
            packet.append(UInt8(truncatingIfNeeded: address.value >> (8 * shift)))
        }
        packet.append(UInt8(data.count))
        packet.append(contentsOf: data)
        packet.append(UInt8(bitPattern: rssiDBm))
    }

    /// Holds a report back until there are enough for one event, or until the hold time ends.
    private func hold(
        _ advertisement: Advertisement, _ data: [UInt8], _ rssiDBm: Int8, _ content: HCITransport.Content
    ) {
        // An event's parameters have at most 255 bytes.
        if held.bytes.count + 10 + data.count > 253 { sendHeld() }
        if held.count == 0 {
            held.sending = world.now + profile.reportHold
            setAlarm(ControllerAlarm.heldReports, at: held.sending)
        }
        append(advertisement, data, rssiDBm, to: &held.bytes)
        held.count += 1
        if content == .good { held.content = .good }
        if held.count == profile.reportsPerEvent { sendHeld() }
    }

    func sendHeld() {
        let waiting = held
        held = HeldReports()
        guard waiting.count > 0 else { return }
        sendReport(
            [PacketIndicator.event.rawValue, 0x3e, UInt8(2 + waiting.bytes.count), 2, UInt8(waiting.count)]
                + waiting.bytes, waiting.content, count: waiting.count)
    }

    /// Makes an LE Extended Advertising Report of a legacy advert. Source:
    /// Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.13.
    private func extended(
        _ advertisement: Advertisement, _ data: [UInt8], _ rssiDBm: Int8, askedOf asked: Advertisement?
    ) -> [UInt8] {
        let type: UInt8 =
            switch advertisement.kind {
            case .connectable: 0x13
            case .scannable: 0x12
            case .scanResponse: asked?.isConnectable == true ? 0x1b : 0x1a
            default: 0x10
            }
        let body: [UInt8] =
            [0x0d, 1, type, 0, addressType(of: advertisement.address)]
            + advertisement.address.littleEndianBytes
            + [1, 0, 0xff, 127, UInt8(bitPattern: rssiDBm), 0, 0, 0, 0, 0, 0, 0, 0, 0]
            + [UInt8(data.count)] + data
        return [PacketIndicator.event.rawValue, 0x3e, UInt8(body.count)] + body
    }

    private func addressType(of address: DeviceAddress) -> UInt8 {
        address.addressType | (profile.resolvesAddresses ? UInt8(address.value & 1) << 1 : 0)
    }

    private func sendReport(_ packet: [UInt8], _ content: HCITransport.Content, count: Int = 1) {
        guard settings.areReportsUnmasked(isExtended: packet[3] == 0x0d) else { return }
        guard transport.waitingReportCount < profile.reportLimit else {
            truth.reportsLost &+= UInt64(count)
            return
        }
        truth.reportsMade &+= UInt64(count)
        send(packet, content, reportCount: count, after: profile.reportDelay)
    }
}
