import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes

/// The schemes other than Herald on a link. The board looks for each scheme that the configuration asks
/// for, and reads it in the same procedure.
extension Link {
    /// Looks for the next scheme. After the last one it records the outcome of the search.
    /// - Returns: whether a procedure has started.
    mutating func seekNextScheme(
        recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) -> Bool {
        while let scheme = procedures.schemes.next() {
            guard let service = SchemeService(of: scheme), let hint = scheme.hint,
                recorder.heardHints.contains(hint),
                !recorder.exchanges.refuses(.reading(scheme), peer, in: recorder.peers, now: now)
            else {
                continue
            }
            gatt.start(service.search(exchangesMTU: exchangesMTU(recorder: &recorder)))
            procedures.begin(.schemeRead(scheme))
            return true
        }
        endSchemeSearch(recorder: &recorder, context: &context, now: now)
        return false
    }

    private mutating func endSchemeSearch(
        recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        procedures.schemes.isWanted = false
        if procedures.schemes.hasFailed {
            recorder.exchanges.fail(with: peer, in: recorder.peers, now: now, jitter: context.jitter.next())
            return
        }
        let isUnsupported = procedures.lacksHerald && !procedures.schemes.hasFound
        if isUnsupported {
            recorder.markUnsupported(peer, isOurs: isOurs, now: now, jitter: context.jitter.next())
        }
        if !isUnsupported || procedures.schemes.hasRefused {
            recorder.exchanges.schemeSearchEnded(
                on: peer, hasFound: procedures.schemes.hasFound, before: procedures.schemes.end,
                jitter: context.jitter.next(), in: recorder.peers, now: now)
        }
    }

    /// Records what a scheme's service has answered. A peer that has the scheme but no identity yet is
    /// asked again soon. An identity that cannot be valid still counts as an answer.
    mutating func schemeRead(
        _ scheme: SchemeID, _ event: AttributeClientEvent, recorder: inout Recorder,
        context: inout RadioContext, now: Instant
    ) {
        switch event {
        case .failed(.serviceNotFound), .failed(.characteristicNotFound): return
        case .failed where event.isLastingRefusal:
            procedures.schemes.hasRefused = true
            if isOurs {
                recorder.exchanges.markRefused(.reading(scheme), by: peer, in: recorder.peers, now: now)
            }
        case .failed: procedures.schemes.hasFailed = true
        case .finished:
            guard let bytes = FixedBuffer<512>(gatt.value) else { return }
            let unixSeconds = context.server.wallClockOffset.map { (now + $0).seconds }
            let reading = SchemeReading(bytes.span, of: scheme, unixSeconds: unixSeconds)
            reading.record(bytes.span, of: scheme, from: peer, in: &recorder, now: now)
            switch reading {
            case .notReady: procedures.schemes.hasFailed = true
            case .refused: procedures.schemes.hasFound = true
            case .identity:
                procedures.schemes.didFind(scheme, unixSeconds: unixSeconds, now: now)
                context.counters.identitiesRead &+= 1
                if scheme == .bleProximity,
                    !recorder.exchanges.refuses(.writing(scheme), peer, in: recorder.peers, now: now)
                {
                    writeProximityIdentity(context)
                }
            }
        }
    }

    /// BLE-Proximity works both ways: the board writes its own identity to a peer that has given one.
    private mutating func writeProximityIdentity(_ context: borrowing RadioContext) {
        let own = context.server.own(on: slot, of: .bleProximity)
        let findings = gatt.findings
        guard !own.isEmpty, let place = findings.other(0) ?? findings.characteristic,
            place.properties.contains(.write)
        else { return }
        try? gatt.startWriting(own.span, handle: place.valueHandle)
        procedures.begin(.schemeWrite(.bleProximity))
    }
}
