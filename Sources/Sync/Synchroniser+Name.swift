import Archive
import BoardLink
import Configuration
import FixedMemory

extension Synchroniser {
    /// Takes the name in the configuration of a trusted board into an archive that has none for it. It comes
    /// last, because the log is more important.
    func takeName(of board: ProvenBoard, _ index: BoardIndex) throws(SyncError) {
        guard board.isTrusted else { return }
        try storing { () throws(ArchiveError) in
            guard try archive.name(of: board.identity) == nil, let name = configuredName else { return }
            try archive.register(
                board.identity, blockByteCount: index.blockByteCount, unitByteCount: index.unitByteCount,
                name: name)
        }
    }

    /// The value of `agent.name`. An agent before 0.2 has no such key, and one of a later version may have
    /// keys that this reader refuses; either is a board without a name.
    private var configuredName: String? {
        guard let listing = try? client.configuration() else { return nil }
        var configuration = EffectiveConfiguration()
        try? configuration.read(listing.span)
        let name = String(decoding: [UInt8](copying: configuration.values.agent.name.span), as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
