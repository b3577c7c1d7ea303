import EncounterLog
import FixedMemory
import FlashSimulator

/// Checks that promised data lasts: synced pages, and segments that a host has verified.
///
/// A synced page stays the same, byte for byte, through every power cut until the ring needs its space. The
/// ring takes the oldest segment first. It erases that segment or, on an overwritable medium, begins the
/// next one in its place. Retention erases no page that no host has before it is old, whatever a clock shows.
/// No page is written over a page of its own segment. A host receives exactly the board's bytes, and every
/// other host receives the same ones.
final class NothingAcknowledgedIsLost: Check {
    private struct Held {
        let sequence: UInt64
        let ordinal: UInt32
        let bytes: [UInt8]
        /// By the board's monotonic clock, which only starts again when the board loses power.
        let committed: Instant
    }

    private struct Place: Hashable {
        let ordinal: UInt32
        let page: Int
    }

    /// The promised pages, by block number on the medium.
    private var held: [Int: Held] = [:]
    private var given: [Place: [UInt8]] = [:]
    /// Pages in which a bit has flipped; they are no longer promised.
    private var flipped: Set<Place> = []
    /// Slots in which an erasure failed or was cut. The ring needed their space, so their remaining pages
    /// are not promised. A bad slot can stay in this set for long.
    private var forgottenSlots: Set<Int> = []
    /// Slots whose last erasure a power cut has interrupted. It may have erased some of their bytes, also of
    /// pages that a host has.
    private var tornErasures: Set<Int> = []
    /// The newest segment that was begun in each slot, even if no write of it took effect.
    private var begunOrdinals: [Int: UInt32] = [:]

    override func committed(_ page: CommittedPage) {
        held[page.number] = Held(
            sequence: page.sequenceNumber, ordinal: page.segmentOrdinal, bytes: page.bytes,
            committed: board.clock.now)
    }

    /// An overwritable medium cannot itself detect a page that is overwritten.
    override func requested(_ request: SimulatedMedium.Request) {
        guard board.medium.isOverwritable, case .program(let block, _, let bytes) = request else { return }
        recordFlips()
        if let segmentHeader = SegmentHeader(pageStart: bytes.span) {
            begin(segmentHeader.segmentOrdinal, inSlot: block / board.medium.geometry.blocksPerSegment)
        }
        if let page = promisedPage(block) { broken("page \(page.sequence) was written over") }
        held[block] = nil
    }

    /// Releases the slot's previous segment. The first page of a new segment gives it up, even if that
    /// write fails.
    private func begin(_ ordinal: UInt32, inSlot slot: Int) {
        let pages = board.medium.blocks(ofSegment: slot).filter {
            held[$0].map { $0.ordinal < ordinal } ?? false
        }
        checkOldest(pages, "given up")
        for page in pages { held[page] = nil }
        forgottenSlots.remove(slot)
        begunOrdinals[slot] = max(begunOrdinals[slot] ?? 0, ordinal)
    }

    private func checkOldest(_ pages: some Collection<Int>, _ what: String) {
        guard let newest = pages.compactMap({ promisedPage($0)?.sequence }).max() else { return }
        let older = held.keys.filter { !pages.contains($0) }.compactMap { promisedPage($0)?.sequence }.min()
        if let older, older < newest { broken("page \(newest) was \(what) before page \(older)") }
    }

    override func operated(_ operation: SimulatedMedium.Operation) {
        guard case .erase(let segment, let succeeded) = operation else { return }
        recordFlips()
        let pages = board.medium.blocks(ofSegment: segment)
        checkOldest(pages, "erased")
        checkAge(pages)
        if succeeded {
            forgottenSlots.remove(segment)
            tornErasures.remove(segment)
        } else {
            forgottenSlots.insert(segment)
            if !board.medium.isPowered { tornErasures.insert(segment) }
        }
        if succeeded || !board.medium.isPowered { for page in pages { held[page] = nil } }
    }

    /// Checks that each page in an erased slot was fetched, was in the ring's way, or is old.
    private func checkAge(_ pages: some Collection<Int>) {
        let newest = held.keys.compactMap { promisedPage($0)?.ordinal }.max() ?? 0
        // On flash the ring erases the slot of the next segment, and gives up two slots in a row at most. The
        // newest segment may hold only a page that a power cut has torn, which was never promised.
        let ringRange = UInt32(board.medium.geometry.segmentCount - 4)
        for number in pages {
            guard let page = promisedPage(number),
                given[Place(ordinal: page.ordinal, page: number)] == nil
            else { continue }
            if !board.medium.isOverwritable, newest - page.ordinal >= ringRange { continue }
            let age = board.clock.now.interval(since: page.committed)
            if age < .days(checker.options.retentionDays) {
                broken("page \(page.sequence) was erased after \(age.seconds) s, and no host has it")
            }
        }
    }

    /// The promised page in a block; nil if the promise has ended.
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

    /// Checks that every promised page is still in place.
    private func compare() {
        recordFlips()
        for (number, page) in held.sorted(by: { $0.key < $1.key }) {
            let place = Place(ordinal: page.ordinal, page: number)
            let isSame = board.medium.bytes[board.medium.range(ofBlock: number)].elementsEqual(page.bytes)
            if !isSame, !flipped.contains(place) { broken("page \(page.sequence) is not what it was") }
        }
    }

    /// Records pages with flipped bits. This includes pages that hosts fetched although their write had
    /// failed and nothing was promised: a flip changes those, too.
    private func recordFlips() {
        for number in board.medium.flippedBlocks {
            let ordinals = given.keys.filter { $0.page == number }.map(\.ordinal)
            if let ordinal = held[number]?.ordinal ?? ordinals.max() {
                flipped.insert(Place(ordinal: ordinal, page: number))
            }
        }
    }

    /// Adds pages that landed without confirmation, because they belong to the log from now on. Pages of an
    /// earlier round do not, in a slot that cannot be written or in which a later segment was begun.
    private func adopt() {
        let geometry = board.medium.geometry
        let found = (0..<geometry.blockCount).filter { held[$0] == nil }
            .compactMap { CommittedPage(number: $0, of: board) }
        let newest = max(
            found.map(\.segmentOrdinal).max() ?? 0, held.values.map(\.ordinal).max() ?? 0)
        for page in found where Int(newest) - Int(page.segmentOrdinal) < geometry.segmentCount {
            let begun = begunOrdinals[page.number / geometry.blocksPerSegment] ?? 0
            guard page.segmentOrdinal >= begun else { continue }
            held[page.number] = Held(
                sequence: page.sequenceNumber, ordinal: page.segmentOrdinal, bytes: page.bytes,
                committed: board.clock.now)
        }
    }

    override func acknowledged(_ ordinal: UInt32, _ bytes: [UInt8]) {
        recordFlips()
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
            if let before = given[place], before != page, !isTornErasure(of: before, in: first, leaving: page)
            {
                broken("page \(index) of segment \(ordinal) was given in two ways")
            }
            if let held = held[first + index], held.ordinal == ordinal, held.bytes != page {
                broken("page \(index) of segment \(ordinal) was given to a host as it is not")
            }
            given[place] = page
        }
    }

    /// Whether an interrupted erasure of the slot at block `first` can have made `page` of `before`. Erasing
    /// only sets bits.
    private func isTornErasure(of before: [UInt8], in first: Int, leaving page: [UInt8]) -> Bool {
        tornErasures.contains(first / board.medium.geometry.blocksPerSegment)
            && zip(before, page).allSatisfy { $0 & ~$1 == 0 }
    }

    /// Checks a page with a flipped bit. The flip may cost the page, but must be detectable: a page that
    /// reads as whole must be as written.
    private func checkFlipped(_ page: [UInt8], _ index: Int, _ ordinal: UInt32, number: Int) {
        guard let held = held[number], held.ordinal == ordinal, held.bytes != page else { return }
        guard let whole = CommittedPage(number: number, bytes: page, of: board) else { return }
        if whole.bytes.prefix(whole.byteCount) != held.bytes.prefix(whole.byteCount) {
            broken("page \(index) of segment \(ordinal) was given as whole with a flipped bit")
        }
    }

    /// The pages that a host must have after it has fetched everything.
    var pagesHeld: [(ordinal: UInt32, index: Int)] {
        let promised = held.keys.compactMap { number in promisedPage(number).map { (number, $0) } }
        return promised.sorted { ($0.1.sequence, $0.0) < ($1.1.sequence, $1.0) }.map { number, page in
            (page.ordinal, number % board.medium.geometry.blocksPerSegment)
        }
    }
}
