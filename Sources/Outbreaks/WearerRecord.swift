import Archive
import EncounterLog
import Simulator

/// What a wearer's computer knows once it has fetched the board's log.
struct WearerRecord: Sendable {
    /// The patient is 0.
    let wearer: Int
    /// Nil where there is no log.
    let history: BoardHistory?
    let encounters: [Encounter]

    init(_ log: Outbreak.FetchedLog, of wearer: Int) throws {
        self.wearer = wearer
        let name = "wearer \(wearer)"
        let archive = try Archive(inMemoryNamed: name)
        var board: LogIdentity?
        for segment in log.segments {
            guard let opening = SegmentOpening(pageStart: segment.bytes.span),
                let identity = LogIdentity([UInt8](copying: opening.logIdentity.span))
            else { continue }
            board = identity
            try archive.register(identity, blockByteCount: log.blockByteCount, name: name)
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: identity)
            if segment.isClosed {
                try archive.close(segment: segment.ordinal, of: identity, isVerified: true)
            }
        }
        guard let board else {
            (history, encounters) = (nil, [])
            return
        }
        try archive.decodePages(of: board)
        let history = try archive.history(of: board)
        self.history = history
        encounters = EncounterAssembly.encounters(of: history)
    }
}
