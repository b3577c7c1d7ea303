import CZlib
import Compression

/// Unpacks a capture: the entry of a zip file if it is one, then gzip, if the result is.
///
/// It holds some kilobytes at a time, and ends after ``maximumByteCount`` unpacked bytes. So a small file
/// that unpacks to a very large one exhausts neither memory nor disk.
public struct Unpacker {
    /// The limit for an unpacked capture: 4 GiB.
    public static let maximumByteCount: UInt64 = 4 << 30

    private var entry: UnpackingStage
    private var gzip: UnpackingStage
    private let expected: ZipEntry?
    private let maximumByteCount: UInt64
    private var checksum: UInt = 0
    private var entryByteCount: UInt64 = 0
    /// Whether the entry has more bytes than the list of entries states.
    private var hasExceededEntry = false
    private var byteCount: UInt64 = 0

    /// - Parameter entry: the zip entry from which the bytes come; nil if they are a file of their own.
    init(_ entry: ZipEntry?, maximumByteCount: UInt64 = Self.maximumByteCount) throws(CaptureError) {
        expected = entry
        self.maximumByteCount = maximumByteCount
        do throws(Inflater.Damage) {
            self.entry = try UnpackingStage(entry?.isDeflated == true ? .deflated : .stored)
            gzip = try UnpackingStage(.detected)
        } catch {
            throw .packedDataDamaged(offset: 0)
        }
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) { entry.append(bytes) }

    mutating func completeInput() { entry.completeInput() }

    /// Whether everything was unpacked that there is.
    private(set) var isFinished = false

    /// Whether the input has ended within packed data.
    var isCut: Bool { entry.isCut || gzip.isCut }

    /// - Returns: nil if more input is needed, or everything was returned.
    mutating func next() throws(CaptureError) -> [UInt8]? {
        let unpacked: [UInt8]?
        do throws(Inflater.Damage) { unpacked = try advance() } catch {
            throw .packedDataDamaged(offset: byteCount)
        }
        byteCount += UInt64(unpacked?.count ?? 0)
        guard byteCount <= maximumByteCount else { throw .tooLong }
        return unpacked
    }

    private mutating func advance() throws(Inflater.Damage) -> [UInt8]? {
        while !isFinished {
            if let bytes = try gzip.next() { return bytes }
            if gzip.isInputComplete {
                isFinished = true
            } else if hasExceededEntry {
                throw Inflater.Damage()
            } else if let bytes = try entry.next() {
                gzip.append(count(bytes))
            } else if entry.isInputComplete {
                try checkEnd()
                gzip.completeInput()
            } else {
                return nil
            }
        }
        return nil
    }

    /// Returns the bytes that belong to the entry by its stated length.
    private mutating func count(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard let expected else { return bytes[...] }
        let rest = expected.byteCount - entryByteCount
        hasExceededEntry = UInt64(bytes.count) > rest
        let counted = bytes.prefix(Int(min(rest, UInt64(bytes.count))))
        entryByteCount += UInt64(counted.count)
        checksum = counted.withUnsafeBufferPointer { crc32_z(checksum, $0.baseAddress, $0.count) }
        return counted
    }

    private func checkEnd() throws(Inflater.Damage) {
        guard let expected, !entry.isCut else { return }
        guard entryByteCount == expected.byteCount, checksum == UInt(expected.checksum) else {
            throw Inflater.Damage()
        }
    }
}
