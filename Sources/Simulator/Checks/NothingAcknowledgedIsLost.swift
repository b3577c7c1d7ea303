import EncounterLog
import FlashSimulator

/// What was promised to last: pages that were synced, and segments that a host has checked.
///
/// A page that was synced stays as it is, byte for byte, through every power cut, until the ring needs the oldest
/// segment's room: until that is erased or, on a medium that is written over, the next is begun in its place. No page is
/// written over one of its own segment. And what hosts have received and checked is what the board has and every other
/// host receives.
final class NothingAcknowledgedIsLost: Check {
    private struct Held {
        let sequence: UInt64
        let ordinal: UInt32
        let bytes: [UInt8]
    }

    private struct Place: Hashable {
        let ordinal: UInt32
        let page: Int
    }

    /// By number on the medium.
    private var held: [Int: Held] = [:]
    private var given: [Place: [UInt8]] = [:]
    /// Pages of which a bit has flipped once: nobody promises those.
    private var flipped: Set<Place> = []
    /// Slots whose erasure was begun and has failed since, or was cut: the ring needed their room, and nobody promises
    /// what is left in them. That may be as old as the slot is bad.
    private var forgottenSlots: Set<Int> = []

    override func committed(_ page: CommittedPage) {
        held[page.number] = Held(
            sequence: page.sequenceNumber, ordinal: page.segmentOrdinal, bytes: page.bytes)
    }

    /// A medium that is written over cannot say itself that a page stood there.
    override func requested(_ request: SimulatedMedium.Request) {
        guard board.medium.isOverwritable, case .program(let block, _, let bytes) = request else { return }
        noteFlips()
        if let opening = SegmentOpening(pageStart: bytes.span) {
            begin(opening.segmentOrdinal, inSlot: block / board.medium.geometry.blocksPerSegment)
        }
        if let page = promisedPage(block) { broken("page \(page.sequence) was written over") }
        held[block] = nil
    }

    /// With the first page of a segment all of the one before it in its slot is given up, whatever becomes of that page.
    private func begin(_ ordinal: UInt32, inSlot slot: Int) {
        let pages = board.medium.blocks(ofSegment: slot).filter {
            held[$0].map { $0.ordinal < ordinal } ?? false
        }
        checkOldest(pages, "given up")
        for page in pages { held[page] = nil }
        forgottenSlots.remove(slot)
    }

    private func checkOldest(_ pages: some Collection<Int>, _ what: String) {
        guard let newest = pages.compactMap({ promisedPage($0)?.sequence }).max() else { return }
        let older = held.keys.filter { !pages.contains($0) }.compactMap { promisedPage($0)?.sequence }.min()
        if let older, older < newest { broken("page \(newest) was \(what) before page \(older)") }
    }

    override func operated(_ operation: SimulatedMedium.Operation) {
        guard case .erase(let segment, let succeeded) = operation else { return }
        noteFlips()
        let pages = board.medium.blocks(ofSegment: segment)
        checkOldest(pages, "erased")
        if succeeded { forgottenSlots.remove(segment) } else { forgottenSlots.insert(segment) }
        if succeeded || !board.medium.isPowered { for page in pages { held[page] = nil } }
    }

    /// What is held in a page, unless nobody promises it any more.
    private func promisedPage(_ number: Int) -> Held? {
        guard let page = held[number],
            !forgottenSlots.contains(number / board.medium.geometry.blocksPerSegment),
            !flipped.contains(Place(ordinal: page.ordinal, page: number))
        else { return nil }
        return page
    }

    override func agentStarted() {
        compare()
        adopt()
    }

    override func agentEnded() { compare() }
    override func worldEnded() { compare() }

    /// Every page that must be there is.
    private func compare() {
        noteFlips()
        for (number, page) in held.sorted(by: { $0.key < $1.key }) {
            let place = Place(ordinal: page.ordinal, page: number)
            let isSame = board.medium.bytes[board.medium.range(ofBlock: number)].elementsEqual(page.bytes)
            if !isSame, !flipped.contains(place) { broken("page \(page.sequence) is not what it was") }
        }
    }

    /// In pages that hosts have got, also where a write had failed and nothing was promised: a bit that flips in what is
    /// left there makes a difference all the same.
    private func noteFlips() {
        for number in board.medium.flippedBlocks {
            let ordinals = given.keys.filter { $0.page == number }.map(\.ordinal)
            if let ordinal = held[number]?.ordinal ?? ordinals.max() {
                flipped.insert(Place(ordinal: ordinal, page: number))
            }
        }
    }

    /// What landed although nobody said so belongs to the log from now on. Not what a slot that cannot be written still has of a
    /// round before.
    private func adopt() {
        let geometry = board.medium.geometry
        let found = (0..<geometry.blockCount).filter { held[$0] == nil }
            .compactMap { CommittedPage(number: $0, of: board) }
        let newest = max(
            found.map(\.segmentOrdinal).max() ?? 0, held.values.map(\.ordinal).max() ?? 0)
        for page in found where Int(newest) - Int(page.segmentOrdinal) < geometry.segmentCount {
            held[page.number] = Held(
                sequence: page.sequenceNumber, ordinal: page.segmentOrdinal, bytes: page.bytes)
        }
    }

    override func acknowledged(_ ordinal: UInt32, _ bytes: [UInt8]) {
        noteFlips()
        let geometry = board.medium.geometry
        let first = Int(ordinal) % geometry.segmentCount * geometry.blocksPerSegment
        for index in 0..<bytes.count / geometry.blockByteCount {
            let start = index * geometry.blockByteCount
            let page = Array(bytes[start..<start + geometry.blockByteCount])
            let place = Place(ordinal: ordinal, page: first + index)
            if flipped.contains(place) {
                checkFlipped(page, index, ordinal, number: place.page)
                continue
            }
            if let before = given[place], before != page {
                broken("page \(index) of segment \(ordinal) was given in two ways")
            }
            if let held = held[first + index], held.ordinal == ordinal, held.bytes != page {
                broken("page \(index) of segment \(ordinal) was given to a host as it is not")
            }
            given[place] = page
        }
    }

    /// A bit that flipped costs the page, and that can be seen of it: what still reads whole is what was written.
    private func checkFlipped(_ page: [UInt8], _ index: Int, _ ordinal: UInt32, number: Int) {
        guard let held = held[number], held.ordinal == ordinal, held.bytes != page else { return }
        guard let whole = CommittedPage(number: number, bytes: page, of: board) else { return }
        if whole.bytes.prefix(whole.byteCount) != held.bytes.prefix(whole.byteCount) {
            broken("page \(index) of segment \(ordinal) was given as whole with a flipped bit")
        }
    }

    /// Pages that a host must have once it has fetched everything.
    var pagesHeld: [(ordinal: UInt32, index: Int)] {
        let promised = held.keys.compactMap { number in promisedPage(number).map { (number, $0) } }
        return promised.sorted { ($0.1.sequence, $0.0) < ($1.1.sequence, $1.0) }.map { number, page in
            (page.ordinal, number % board.medium.geometry.blocksPerSegment)
        }
    }
}
