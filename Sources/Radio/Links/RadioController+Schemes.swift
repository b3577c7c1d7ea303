import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes

/// Schemes beside Herald on a link: each that is asked for is looked for, and read in the same go, one after the other.
extension RadioController {
    /// Looks for the next one, or draws the conclusions when none is left.
    /// - Returns: whether there is something to wait for.
    mutating func seekNextScheme(_ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64) -> Bool
    {
        while let scheme = links.slots[index]?.work.takeScheme() {
            guard let service = SchemeService(of: scheme), let hint = scheme.hint, recorder.hears(hint) else {
                continue
            }
            let exchangesMTU = takeMTUExchange(on: index, recorder: &recorder)
            links.slots[index]?.gatt.start(service.search(exchangesMTU: exchangesMTU))
            begin(.schemeRead(scheme), on: index)
            return true
        }
        schemesSought(index, recorder: &recorder, nowMilliseconds: now)
        return false
    }

    private mutating func schemesSought(
        _ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[index]?.peer, let work = links.slots[index]?.work else { return }
        links.slots[index]?.work.seeksSchemes = false
        if work.hasSchemeFailed {
            recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
        } else if work.lacksHerald, !work.hasFoundScheme {
            recorder.exchangeFoundStranger(peer, nowMilliseconds: now, jitter: nextRandom())
        } else {
            recorder.schemesSought(on: peer, hasFound: work.hasFoundScheme, nowMilliseconds: now)
        }
    }

    /// A search has ended. A peer that has the scheme and cannot say yet who it is, is asked again soon; one whose identity
    /// cannot be, has answered.
    mutating func schemeRead(
        _ scheme: SchemeID, _ index: Int, _ event: AttributeClientEvent, recorder: inout Recorder,
        nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[index]?.peer else { return }
        switch event {
        case .failed(.serviceNotFound), .failed(.characteristicNotFound): return
        case .failed: links.slots[index]?.work.hasSchemeFailed = true
        case .finished:
            guard let bytes = links.slots[index].flatMap({ FixedBuffer<512>($0.gatt.value) }) else { return }
            let unixSeconds = server.wallClockOffsetMilliseconds.map { (now &+ $0) / 1000 }
            let reading = SchemeReading(bytes.span, of: scheme, unixSeconds: unixSeconds)
            reading.record(bytes.span, of: scheme, from: peer, in: &recorder, nowMilliseconds: now)
            switch reading {
            case .notReady: links.slots[index]?.work.hasSchemeFailed = true
            case .refused: links.slots[index]?.work.hasFoundScheme = true
            case .identity:
                links.slots[index]?.work.hasFoundScheme = true
                counters.identitiesRead &+= 1
                if scheme == .bleProximity { writeProximityIdentity(index) }
            }
        }
    }

    /// BLE-Proximity goes both ways: who has said who it is, is told who we are.
    private mutating func writeProximityIdentity(_ index: Int) {
        let own = server.own(on: index, of: .bleProximity)
        guard !own.isEmpty, let findings = links.slots[index]?.gatt.findings,
            let place = findings.noted(0) ?? findings.characteristic, place.properties.contains(.write)
        else { return }
        try? links.slots[index]?.gatt.startWriting(own.span, handle: place.valueHandle)
        begin(.schemeWrite, on: index)
    }
}
