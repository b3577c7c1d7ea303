import FixedMemory
import HCI
import Peers

/// What a peer is asked on a link that has come about, and again on one that stays.
extension RadioController {
    /// A link has come about: ours for what we connected for, or one that a peer has made to us, which serves as well.
    mutating func beginWork(_ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard let peer = links.slots[index]?.peer, let isOurs = links.slots[index]?.isOurs else { return }
        let seeks = recorder.needsSchemes(of: peer, nowMilliseconds: now)
        let reads = isOurs ? !recorder.hasIdentity(of: peer) : readsVisitor(peer, seeks, &recorder)
        links.slots[index]?.work = LinkProcedures(
            readsPayload: reads, seeksSchemes: seeks, asksModel: settings.asksModel,
            isErrand: isOurs && attemptPurpose == .writeBack)
        startNextProcedure(index, recorder: &recorder, nowMilliseconds: now)
    }

    /// Who has come to us before we heard it, or could not answer then, is asked over the same link: it may never leave,
    /// and whoever is linked with us is not connected to.
    mutating func askVisitorAgain(_ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard let peer = links.slots[index]?.peer,
            recorder.isQuestionDue(to: peer, nowMilliseconds: now)
        else { return }
        let seeks = recorder.needsSchemes(of: peer, nowMilliseconds: now)
        let reads = readsVisitor(peer, seeks, &recorder)
        guard reads || seeks else { return }
        links.slots[index]?.work.askAgain(readsPayload: reads, seeksSchemes: seeks)
        startNextProcedure(index, recorder: &recorder, nowMilliseconds: now)
    }

    /// Whether to ask a peer that has come to us for its payload, which then counts as begun: who has said lately who it
    /// is to another scheme is not asked by each link for Herald.
    private mutating func readsVisitor(_ peer: DeviceAddress, _ seeks: Bool, _ recorder: inout Recorder)
        -> Bool
    {
        guard recorder.needsIdentity(of: peer), seeks || !recorder.asksSchemes else { return false }
        recorder.exchangeStarted(with: peer)
        return true
    }
}
