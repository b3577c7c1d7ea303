import EncounterLog
import FixedMemory
import Peers
import Radio

/// How much memory the agent's tables take.
public enum AgentSizes {
    public static var linkByteCount: Int { RadioController.linkByteCount }

    /// Peers with their index, identities and waiting entries, every place in use; with candidates'
    /// samples.
    public static func tableByteCount(_ settings: RecorderSettings) -> Int {
        var indexCount = 2
        while indexCount < settings.peerCapacity * 2 { indexCount *= 2 }
        let readingsByteCount =
            settings.recordsReadings
            ? (settings.peerCapacity + settings.readingsCapacity) * MemoryLayout<PackedReadings>.stride : 0
        return readingsByteCount + Recorder.waitingCandidatesByteCount(settings) + settings.peerCapacity
            * (MemoryLayout<Peer>.stride + MemoryLayout<FixedBuffer<512>>.stride)
            + indexCount * MemoryLayout<UInt32>.stride + settings.entryCapacity
            * Recorder.waitingEntryByteCount
    }
}
