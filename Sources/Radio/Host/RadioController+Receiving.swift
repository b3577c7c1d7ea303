import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Packets from the controller.
extension RadioController {
    package mutating func receive(_ packet: Span<UInt8>, recorder: inout Recorder, now: Instant) -> Notice? {
        guard packet.count > 0 else { return nil }
        statistics.didReceivePacket(at: now)
        if packet[0] == PacketIndicator.aclData.rawValue {
            if state == .running { receiveData(packet, recorder: &recorder, now: now) }
            return nil
        }
        do throws(EventError) {
            switch try Event(packet) {
            case .advertisingReports(let reports):
                guard state == .running else {
                    statistics.recordLate(Self.takeLate(reports, recorder: &recorder, now: now))
                    return nil
                }
                ReportIntake.take(reports, recorder: &recorder, statistics: &statistics, now: now)
            case .extendedAdvertisingReports(let reports):
                takeExtended(reports, recorder: &recorder, now: now)
            case .commandComplete(let opCode, let credits, let returned):
                if host.isUnexpectedNop(opCode) {
                    return host.takeRestart(credits: credits, now: now) ? .down(.restarted) : nil
                }
                guard host.didReceiveAnswer(to: opCode, credits: credits, isFinal: true, now: now) else {
                    return nil
                }
                return takeAnswer(opCode, returned, recorder: &recorder, now: now)
            case .commandStatus(let opCode, let credits, let status):
                if host.isUnexpectedNop(opCode) {
                    return host.takeRestart(credits: credits, now: now) ? .down(.restarted) : nil
                }
                let isFinal = status != .success || opCode.isAnsweredByStatus
                guard host.didReceiveAnswer(to: opCode, credits: credits, isFinal: isFinal, now: now) else {
                    return nil
                }
                var returned = Bytes<1>()
                returned[0] = status.rawValue
                return takeAnswer(opCode, returned.span, recorder: &recorder, now: now)
            case .hardwareError(let code):
                // A halted controller is known to be in trouble already.
                return state == .halted ? nil : .down(.hardwareError(code))
            case let event: takeLinkEvent(event, recorder: &recorder, now: now)
            }
        } catch {
            context.counters.malformedEvents &+= 1
        }
        return nil
    }

    private mutating func takeLinkEvent(_ event: borrowing Event, recorder: inout Recorder, now: Instant) {
        switch event {
        // Events of links that come before a reset is over are of links that the reset ends.
        case .connectionComplete(let connection):
            if state == .running { opened(connection, recorder: &recorder, now: now) }
        case .disconnectionComplete(let handle, let status, _):
            if status == .success { closed(handle, recorder: &recorder, now: now) }
        case .connectionUpdated(let handle, let status, let timeout):
            if status == .success, let slot = links.find(handle) { links[slot].supervisionTimeout = timeout }
        case .completedPackets(var list):
            while let entry = list.next() { completed(entry.handle, Int(entry.count)) }
        case .longTermKeyRequest(let handle):
            if let slot = links.find(handle) { links[slot].requests.refuseKey() }
        default: break
        }
    }

    @inline(never)
    private mutating func takeExtended(
        _ reports: ExtendedAdvertisingReports, recorder: inout Recorder, now: Instant
    ) {
        if state == .running, schedule.commands == .extended {
            ReportIntake.take(reports, recorder: &recorder, statistics: &statistics, now: now)
        } else {
            // No command requested these reports, or they come from before a reset. They count, but are not
            // evidence about the radio.
            var other = ScanStatistics()
            ReportIntake.take(reports, recorder: &recorder, statistics: &other, now: now)
            if state == .running { statistics.recordExtendedReports() } else { statistics.recordLate(other) }
        }
    }

    /// Records reports that come while the radio is down, and returns their counts.
    @inline(never)
    private static func takeLate(
        _ reports: AdvertisingReports, recorder: inout Recorder, now: Instant
    ) -> ScanStatistics {
        var other = ScanStatistics()
        ReportIntake.take(reports, recorder: &recorder, statistics: &other, now: now)
        return other
    }

    private mutating func takeAnswer(
        _ opCode: OpCode, _ returned: Span<UInt8>, recorder: inout Recorder, now: Instant
    ) -> Notice? {
        statistics.didReceiveAnswer(at: now)
        let status = returned.count > 0 ? Status(rawValue: returned[0]) : .invalidParameters
        if state == .bringingUp { return takeBringUpAnswer(returned) }
        if status == .unknownCommand, opCode.isExtended {
            // The controller claims to know the command. Only a reset makes it take the older ones.
            host.recordFalseCommands()
            return .down(.bringUp(.refused(opCode, status)))
        }
        let hadScan = schedule.scanner.proof.failureCount == 0
        if schedule.didReceiveAnswer(to: opCode, status, linkCount: links.count, now: now) {
            if hadScan, schedule.scanner.proof.failureCount > 0 { return .scanLost }
            context.canAdvertise = !schedule.advertiser.cannotAdvertise
            guard let next = context.own.next, schedule.address == next.address else { return nil }
            adoptIdentity(now: now)
            return .addressChanged
        }
        if additionalSets.didReceiveAnswer(status) { return nil }
        if opCode == .readDeviceAddress { return host.hasOtherAddress(returned) ? .down(.restarted) : nil }
        if opCode == schedule.commands.createConnection {
            connector.creationAnswered(
                opCode, status, besideLinks: links.count, recorder: &recorder, context: &context, now: now)
        } else if opCode == .leCreateConnectionCancel {
            connector.cancellationAnswered(status, now: now)
        } else if opCode == .readRSSI {
            recordRSSI(returned, recorder: &recorder, now: now)
        } else if opCode == .disconnect, let handle = host.takeDisconnecting() {
            // The link has ended already, and the controller did not report it.
            if status == .unknownConnection { closed(handle, recorder: &recorder, now: now) }
        }
        return nil
    }

    private mutating func takeBringUpAnswer(_ returned: Span<UInt8>) -> Notice? {
        do throws(BringUpError) {
            guard try host.takeBringUpAnswer(returned) else { return nil }
        } catch {
            return .down(.bringUp(error))
        }
        if information.usesPublicAddress {
            context.own.move(to: information.publicAddress)
            schedule.begin(with: address)
        }
        if settings.usesExtendedCommands, information.hasExtendedCommands, !host.hasFalseCommands {
            schedule.commands = .extended
        }
        return .up
    }
}
