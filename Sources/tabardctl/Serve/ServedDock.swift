import Archive
import BoardLink
import CommandLineText
import FixedMemory
import Foundation
import Sync
import Synchronization

/// The serial ports with what is behind them, and fetches from the boards there.
///
/// The main thread calls ``step()`` periodically; pages only read what is known. One thread at a time asks
/// ports how they are, and never while a fetch runs, because a port has one user.
final class ServedDock: Sendable {
    private struct State {
        var ports: [ServedPort] = []
        var isAsking = false
        var next = Instant.start
        var lastViewed = Instant.start
        var wantsFetch = false
        var dock: Dock?
        var problem: String?
    }

    private static let pause = Interval.milliseconds(500)
    /// How long an answer of a board counts as new, while somebody looks.
    private static let freshness = Interval.seconds(15)
    private static let attention = Interval.seconds(10)
    private static let farewellSteps = 100

    private let patterns: [String]
    private let baud: UInt32
    private let options: Synchroniser.Options
    private let archive: EvidenceOptions
    private let fetchesAlways: Bool
    private let state = Mutex(State())

    /// - Parameter fetchesAlways: fetches from each board that is plugged in; otherwise only on request.
    init(
        patterns: [String], baud: UInt32, sync options: Synchroniser.Options, archive: EvidenceOptions,
        fetchesAlways: Bool
    ) {
        self.patterns = patterns
        self.baud = baud
        self.options = options
        self.archive = archive
        self.fetchesAlways = fetchesAlways
        state.withLock { $0.wantsFetch = fetchesAlways }
    }

    /// What a page shows.
    struct View {
        let ports: [ServedPort]
        let slots: [DockSlot]
        let isFetching: Bool
        /// Why no fetch could begin.
        let problem: String?
        let fetchesAlways: Bool
    }

    func view() -> View {
        state.withLock { state in
            state.lastViewed = .now
            return View(
                ports: state.ports, slots: state.dock?.slots ?? [],
                isFetching: state.wantsFetch || state.dock?.isBusy == true, problem: state.problem,
                fetchesAlways: fetchesAlways)
        }
    }

    /// Fetches once from each board that is plugged in.
    func requestFetch() { state.withLock { $0.wantsFetch = true } }

    // MARK: Steps

    func step() {
        let now = Instant.now
        let isDue = state.withLock { state in
            guard now >= state.next else { return false }
            state.next = now + Self.pause
            return true
        }
        guard isDue else { return }
        let plugged = SerialPorts.plugged(matching: patterns)
        let (dock, isAsking, wantsFetch) = state.withLock { state in
            ServedPort.update(&state.ports, with: plugged)
            return (state.dock, state.isAsking, state.wantsFetch)
        }
        guard !isAsking else { return }
        if let dock, fetchesAlways || dock.isBusy {
            let wasBusy = dock.isBusy
            if fetchesAlways { dock.step() }
            if wasBusy, !dock.isBusy { settle() }
        } else if wantsFetch {
            beginFetch(plugged)
        } else if dock?.isBusy != true {
            askNext(now)
        }
    }

    /// Ends all fetches between two requests. What was fetched is stored.
    func finish() {
        guard let dock = state.withLock({ $0.dock }) else { return }
        for _ in 0..<Self.farewellSteps where dock.isBusy { usleep(50_000) }
    }

    // MARK: Fetches

    private func beginFetch(_ plugged: [PluggedPort]) {
        do throws(Failure) {
            let writing = try archive.archive.openUpgraded(.create, keys: options.ownerKeys, onlyOnce: true)
            var settings = Dock.Options()
            settings.sync = options
            if !fetchesAlways {
                settings.interval = nil
                settings.retries = false
            }
            let (patterns, baud, fetchesAlways) = (patterns, baud, fetchesAlways)
            let dock = Dock(
                archive: writing, options: settings,
                ports: { fetchesAlways ? SerialPorts.plugged(matching: patterns) : plugged },
                open: { path throws(LinkError) in try SerialChannel(path: path, baud: baud) },
                shouldStop: { Interruption.isRequested })
            state.withLock { state in
                state.dock = dock
                state.problem = nil
                state.wantsFetch = false
            }
            dock.step()
        } catch {
            state.withLock { state in
                state.problem = error.message
                state.wantsFetch = false
            }
        }
    }

    private func settle() {
        OpenArchives.settle()
        state.withLock { state in
            for index in state.ports.indices { state.ports[index].asked = nil }
        }
    }

    // MARK: Questions to boards

    private func askNext(_ now: Instant) {
        let port = state.withLock { state -> String? in
            let isWatched = now < state.lastViewed + Self.attention
            let due = state.ports.first { port in
                guard let asked = port.asked else { return true }
                return isWatched && now >= asked + Self.freshness
            }
            state.isAsking = due != nil
            return due?.port.path
        }
        guard let port else { return }
        Thread { [self] in
            let answer = Console.$listener.withValue(MessageListener { _ in }) { ask(port) }
            state.withLock { state in
                state.isAsking = false
                guard let index = state.ports.firstIndex(where: { $0.port.path == port }) else { return }
                state.ports[index].asked = .now
                state.ports[index].probed = answer.probed
                state.ports[index].patient = answer.patient
                state.ports[index].name = answer.name
            }
        }.start()
    }

    private func ask(_ path: String) -> (probed: ProbedPort, patient: Patient?, name: String?) {
        let probed = SerialPorts.probe(path, baud: baud)
        let computer = ComputerExamination(archive: archive.archive)
        let examination = PortExamination(archive: archive.archive, baud: baud, areNamed: true)
        let patient = examination.patient(probed, computer)
        guard case .board(let index, _) = probed.finding else { return (probed, patient, nil) }
        return (probed, patient, computer.name(of: index.board))
    }
}
