/// Writes a zip file of stored entries, in order of addition, each dated 1 January 1980, so that the same
/// files give the same bytes. Source: PKWARE's APPNOTE 6.3.
struct ZipWriter {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    /// The least version that can read the file: 1.0.
    private static let version: UInt16 = 10
    private static let firstDay: UInt32 = 1 << 21 | 1 << 16

    /// - Precondition: all entries together are less than 4 GiB.
    mutating func append(_ name: String, _ contents: [UInt8]) {
        let offset = UInt32(bytes.count)
        let byteCount = UInt32(contents.count)
        var common: [UInt8] = []
        common.append(Self.version)
        common.append(UInt16(0))
        common.append(ZipFormat.stored)
        common.append(Self.firstDay)
        common.append(Deflate.checksum(contents))
        common.append(byteCount)
        common.append(byteCount)
        common.append(UInt16(name.utf8.count))
        common.append(UInt16(0))

        bytes.append(ZipFormat.localHeader)
        bytes += common
        bytes += Array(name.utf8)
        bytes += contents

        directory.append(ZipFormat.directoryEntry)
        directory.append(Self.version)
        directory += common
        // No comment, disk 0, no attributes.
        directory += [UInt8](repeating: 0, count: 10)
        directory.append(offset)
        directory += Array(name.utf8)
        count += 1
    }

    var file: [UInt8] {
        var end: [UInt8] = []
        end.append(ZipFormat.end)
        end.append(UInt32(0))
        end.append(count)
        end.append(count)
        end.append(UInt32(directory.count))
        end.append(UInt32(bytes.count))
        end.append(UInt16(0))
        return bytes + directory + end
    }
}

extension [UInt8] {
    /// Appends the number's bytes, the lowest first.
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
