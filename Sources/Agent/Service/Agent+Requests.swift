import DeviceSync
import EncounterLog
import FixedMemory

/// The requests of programs on the board.
extension Agent {
    /// A program that sends more in a second waits.
    private static var requestsPerSecond: Int { 8 }

    /// Answers the programs that ask. Called about once a second.
    mutating func answerPrograms(now: Instant) {
        var mark: BoardAnswer?
        for _ in 0..<Self.requestsPerSecond {
            guard let request = board.takeRequest() else { return }
            switch request {
            case .status:
                refreshStatus(now: now)
                if let packet = port.view.status.packet() { board.answer(packet.span) }
            case .mark(let origin):
                // Requests that come within a second are one moment.
                let answer = mark ?? self.mark(origin, now: now)
                mark = answer
                give(answer)
            case .battery(let reading): give(take(reading, now: now))
            }
        }
    }

    private mutating func give(_ answer: BoardAnswer) {
        var bytes = FixedBuffer<1>()
        try? bytes.append(answer.rawValue)
        board.answer(bytes.span)
    }

    /// The moment is on the medium when this returns `done`, because the wearer relies on it from then on.
    private mutating func mark(_ origin: MarkerOrigin, now: Instant) -> BoardAnswer {
        guard writer.commit(.marker(MarkerEntry(instant: now, origin: origin)), now: now) else {
            return .notWritten
        }
        port.view.status.markerCount &+= 1
        board.report(.momentMarked)
        return .done
    }

    private mutating func take(_ reading: BatteryReading, now: Instant) -> BoardAnswer {
        let wasLow = service.battery.reading?.isLow ?? false
        let isNew = service.battery.take(reading, now: now)
        if reading.isLow, !wasLow { board.report(.batteryLow(percent: reading.percent)) }
        guard isNew else { return .done }
        let entry = LogEntry.battery(BatteryEntry(instant: now, reading: reading))
        guard reading.isLow else {
            writer.append(entry, now: now)
            return .done
        }
        // The board may lose its power at any moment from now on.
        return writer.commit(entry, now: now) ? .done : .notWritten
    }
}
