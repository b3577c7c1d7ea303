import Archive
import BoardHealth
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation
import LogContents
import Sync

/// This computer: its clock and its archive.
struct ComputerExamination {
    let isClockSet: Bool
    private let path: String
    private let archive: Archive?
    private let problem: String?

    /// 2025-01-01 UTC. No computer that runs this version has an earlier date.
    private static let earliest = WallClockTime(milliseconds: 1_735_689_600_000)

    init(archive options: ArchiveOptions) {
        isClockSet = WallClockTime.now > Self.earliest
        path = options.path
        guard FileManager.default.fileExists(atPath: path) else {
            (archive, problem) = (nil, nil)
            return
        }
        do throws(Failure) {
            (archive, problem) = (try options.open(.reading), nil)
        } catch {
            (archive, problem) = (nil, error.message)
        }
    }

    var findings: [Finding] {
        var findings: [Finding] = []
        findings.append(
            !isClockSet
                ? Finding(
                    .fault, "clock", "never set, so boards get no time from here",
                    .run("sudo timedatectl set-ntp true"))
                : Finding(.ok, "clock", "set"))
        if let problem {
            findings.append(
                Finding(.fault, "archive", problem, .advice("see the message; --archive names another file")))
        } else {
            findings.append(
                Finding(.ok, "archive", archive == nil ? "none yet; the first sync makes \(path)" : path))
        }
        return findings
    }

    func name(of board: LogIdentity) -> String { (try? archive?.label(of: board)) ?? board.short }

    /// The board in the archive. Nothing proves that the board is the one that it claims to be.
    func standing(of board: LogIdentity, _ keys: BoardKeyReport?) -> BoardExamination.Standing {
        guard problem == nil else { return .unknown }
        guard let archive else { return .absent }
        guard let boards = try? archive.boards() else { return .unknown }
        if let known = boards.first(where: { $0.identity == board }) {
            return .trusted(fetched: known.lastSync)
        }
        let untrusted = Archive.identity(ofUntrusted: board, publicKey: keys?.board.x963)
        return ((try? archive.contains(untrusted)) ?? false) ? .untrusted : .absent
    }
}
