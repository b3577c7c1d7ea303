import EncounterLog
import FixedMemory
import Schemes

/// What our identities follow from, part of a step.
extension Agent {
    /// Begins a root for day keys if one is wanted.
    mutating func beginRoot(nowMilliseconds now: UInt64) {
        if let wanted = identity?.keys.wanted {
            rootMaker = RootMaker(.herald, wanted, random: &random, nowMilliseconds: now)
        } else if let wanted = schemes.keys.wanted {
            rootMaker = RootMaker(.covidTracer, wanted, random: &random, nowMilliseconds: now)
        }
    }

    /// Whether a slice of the root's making is due.
    mutating func isMakingRoot(nowMilliseconds now: UInt64) -> Bool {
        rootMaker != nil && now >= rootMaker?.retryMilliseconds ?? 0
    }

    /// Its owner has it, on the medium, before anybody sees anything that follows from it.
    mutating func makeRoot(nowMilliseconds now: UInt64) {
        guard rootMaker?.advance() != nil, let entry = rootMaker?.entry else { return }
        if rootMaker?.isLogged == false {
            let isInClear = !store.keeper.log.isSealed
            guard store.keeper.commit(.ownKey(entry), nowMilliseconds: now) else {
                return noteRootFailure(nowMilliseconds: now)
            }
            rootMaker?.noteLogged(isInClear: isInClear)
        }
        guard var keys = rootMaker?.advance(), board.store(keys) else {
            return noteRootFailure(nowMilliseconds: now)
        }
        keys.wipe()
        rootMaker?.wipe()
        rootMaker = nil
        askForDayKeys()
    }

    private mutating func noteRootFailure(nowMilliseconds now: UInt64) {
        guard rootMaker?.noteFailure(nowMilliseconds: now) == true else { return }
        board.report(.dayKeysNotStored)
    }

    /// Anew: the board has others, or they are to be renewed.
    mutating func askForDayKeys() {
        identity?.askForKey()
        schemes.askForKey()
        identityDeadlineMilliseconds = 0
    }
}
