import Agent
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import Radio

/// Tests how a client reads and sets a board's configuration.
@Suite struct ConfigurationCommandTests {
    /// Sets keys of the configuration.
    ///
    /// - Returns: whether the board restarts, or why it refuses.
    private func set(_ scene: inout Scene, _ assignments: String...) throws -> Result<Bool, Refusal> {
        let text = Array(assignments.joined(separator: "\n").utf8)
        let request = try SyncRequest.setConfiguration(text.span, sequence: 9)
        let answer = try scene.ask(request)
        do throws(SyncResponseError) {
            return .success(try SyncResponse(answer.span, to: request).restarts())
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            guard let words = SyncResponse.reason(answer.span) else {
                return .failure(Refusal(refusal: refusal, reason: nil))
            }
            let reason = String(decoding: words.span.array, as: UTF8.self)
            return .failure(Refusal(refusal: refusal, reason: reason))
        }
    }

    private struct Refusal: Error, Equatable {
        var refusal: SMPRefusal
        var reason: String?

        static func because(_ reason: String) -> Refusal {
            Refusal(refusal: .configurationRefused, reason: reason)
        }
    }

    private func listing(_ scene: inout Scene) throws -> String {
        String(decoding: try scene.fetch("/config"), as: UTF8.self)
    }

    @Test func `a file lists the effective configuration, and the log has its digest`() throws {
        var scene = try Scene("log.retention_days=14")
        let bytes = try scene.fetch("/config")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("retention_days = 14  # line 1\n"))
        #expect(text.contains("raw = false  # default\n"))
        scene.stop()
        let entries = scene.world.medium.entries
        let entry = try #require(entries.lazy.compactMap(\.configured).first)
        let digest = SHA256.digest(of: bytes.span)
        #expect((0..<16).map { entry.digest[$0] } == (0..<16).map { digest[$0] })
        #expect(entry.retentionDays == 14)
    }

    @Test(arguments: ["51.507351, -0.127758", nil])
    func `the log has the beacon's position if one is configured`(position: String?) throws {
        var scene = try Scene(position.map { "agent.position=\($0)" } ?? "log.retention_days=14")
        scene.run(milliseconds: 100)
        scene.stop()
        let entry = try #require(scene.world.medium.entries.lazy.compactMap(\.configured).first)
        #expect(
            entry.position
                == position.flatMap { _ in
                    GeographicPosition(latitudeMicrodegrees: 51_507_351, longitudeMicrodegrees: -127_758)
                })
    }

    @Test func `the agent restarts at once after a change, and then applies it`() throws {
        let world = BoardWorld()
        var scene = try Scene("log.retention_days=14", in: world)
        scene.run(milliseconds: 100)
        let answer = try set(&scene, "log.retention_days=7", "herald.name=Adams Pizza")
        #expect(answer == .success(true))
        var hasEnded = scene.hasEnded
        #expect(!hasEnded)
        scene.run(milliseconds: 1_100)
        hasEnded = scene.hasEnded
        let ending = scene.ending
        #expect(hasEnded)
        #expect(ending == .configured)

        var next = try Scene("log.retention_days=14", in: world, boot: 8)
        let text = try listing(&next)
        #expect(text.contains("retention_days = 7  # over the cable\n"))
        #expect(text.contains("name = \"Adams Pizza\"  # over the cable\n"))
        next.stop()
        #expect(world.medium.entries.compactMap(\.configured).map(\.retentionDays) == [14, 7])
    }

    @Test func `a change keeps the earlier changes`() throws {
        var scene = try Scene()
        let world = scene.world
        for assignment in ["encounters.raw=true", "radio.scan_window_milliseconds=30"] {
            let answer = try set(&scene, assignment)
            #expect(answer == .success(true))
        }
        let changes = String(decoding: world.store.configurationChanges, as: UTF8.self)
        #expect(changes.contains("raw = true"))
        #expect(changes.contains("scan_window_milliseconds = 30"))
        #expect(!changes.contains("location"))
    }

    @Test(arguments: [
        ("log.retention_days=200", "log.retention_days: 200 is not from 0 to 180; write whole days, or 0"),
        ("radio.scna=true", "radio.scna: no such key; did you mean scan?"),
        (
            "encounters.raw=true\nencounters.gap_seconds=2",
            "encounters.sample_seconds: longer than gap_seconds, so a sample could span two encounters; "
                + "lower it, or raise the gap"
        ),
        (
            "log.path=/tmp/x",
            "log.path: names a file or device of the board, so the cable cannot set it; set it in the board's "
                + "configuration file"
        ),
        (
            "sync.baud=9600",
            "sync.baud: names a file or device of the board, so the cable cannot set it; set it in the board's "
                + "configuration file"
        ),
    ])
    func `the cable refuses what a file may not contain, with the same sentence`(
        assignments: String, reason: String
    ) throws {
        var scene = try Scene()
        let world = scene.world
        let answer = try set(&scene, assignments)
        #expect(answer == .failure(.because(reason)))
        #expect(world.store.configurationChanges.isEmpty)
        scene.run(milliseconds: 2_000)
        let hasEnded = scene.hasEnded
        #expect(!hasEnded)
        let text = try listing(&scene)
        #expect(text.contains("raw = false  # default"))
    }

    @Test func `HP-C33: the cable accepts an encounter timeout of 30 s, and refuses 31 s`() throws {
        var scene = try Scene()
        let world = scene.world
        #expect(
            try set(&scene, "encounters.gap_seconds=31")
                == .failure(
                    .because(
                        "encounters.gap_seconds: 31 is not from 1 to 30; write whole seconds; "
                            + "Herald allows at most 30")))
        #expect(world.store.configurationChanges.isEmpty)
        #expect(try set(&scene, "encounters.gap_seconds=30") == .success(true))
        #expect(
            String(decoding: world.store.configurationChanges, as: UTF8.self).contains("gap_seconds = 30"))
    }

    @Test func `a board that cannot store a change refuses it and keeps running`() throws {
        var scene = try Scene()
        scene.world.store.keepsConfiguration = false
        let answer = try set(&scene, "encounters.raw=true")
        guard case .failure = answer else {
            Issue.record("the board says that it keeps it")
            return
        }
        #expect(scene.world.store.refusals == [.notStored])
        scene.run(milliseconds: 2_000)
        let hasEnded = scene.hasEnded
        #expect(!hasEnded)
    }

    @Test func `anyone reads a provisioned board's settings, but only its operator changes them`() throws {
        let world = BoardWorld()
        var keys = try BoardKeys(entropy: .system)
        keys.publicHalves.operatorKey = try P256PrivateKey(entropy: .system).publicKey
        world.store.keys = keys
        var scene = try Scene(in: world)
        let text = try listing(&scene)
        #expect(text.contains("[herald]"))
        let answer = try set(&scene, "encounters.raw=true")
        #expect(answer == .failure(Refusal(refusal: .accessDenied, reason: nil)))
        #expect(world.store.configurationChanges.isEmpty)
    }
}

extension LogEntry {
    fileprivate var configured: ConfigurationEntry? {
        if case .configuration(let entry) = self { entry } else { nil }
    }
}
