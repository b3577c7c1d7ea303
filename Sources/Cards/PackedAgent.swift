import Compression

/// The agent's program in its Debian package.
extension BoardPackage {
    /// A package is an archive of ar(5): 8 bytes, then members with a header of 60 bytes each. The files are
    /// in the member `data.tar.gz`.
    private static let memberHeaderByteCount = 60
    private static let firstMember = 8
    private static let agentName = "usr/bin/tabard"
    /// No agent is larger.
    private static let largestAgent = 1 << 20
    /// The files of a package are smaller, unpacked.
    private static let largestData = 64 << 20

    public var agent: [UInt8] {
        get throws(CardError) {
            let packed = try member(named: "data.tar.gz")
            do throws(Inflater.Damage) {
                return try Self.agent(in: try Self.unpacked(packed))
            } catch {
                throw .package("damaged: its files cannot be unpacked; copy it again")
            }
        }
    }

    private func member(named wanted: String) throws(CardError) -> ArraySlice<UInt8> {
        var position = Self.firstMember
        while position + Self.memberHeaderByteCount <= bytes.count {
            let header = bytes[position..<position + Self.memberHeaderByteCount]
            let name = Self.text(header.prefix(16))
            guard let byteCount = Int(Self.text(header.dropFirst(48).prefix(10))), byteCount >= 0 else {
                break
            }
            let start = position + Self.memberHeaderByteCount
            guard byteCount <= bytes.count - start else { break }
            if name == wanted || name == wanted + "/" { return bytes[start..<start + byteCount] }
            position = start + byteCount + byteCount % 2
        }
        throw .package(
            "has no \(wanted), as packages of tabard have from 0.2 on; give such a one, or copy it again")
    }

    private static func unpacked(_ packed: ArraySlice<UInt8>) throws(Inflater.Damage) -> [UInt8] {
        let inflater = try Inflater(.gzip)
        inflater.append(packed)
        var files: [UInt8] = []
        while let piece = try inflater.next() {
            files += piece
            guard files.count <= largestData else { throw Inflater.Damage() }
        }
        guard inflater.hasEnded else { throw Inflater.Damage() }
        return files
    }

    /// The agent in an archive of tar(5): blocks of 512 bytes, a header before the blocks of each file.
    private static func agent(in files: [UInt8]) throws(Inflater.Damage) -> [UInt8] {
        var position = 0
        while position + 512 <= files.count {
            let header = files[position..<position + 512]
            let name = text(header.prefix(100))
            guard let byteCount = Int(text(header.dropFirst(124).prefix(12)), radix: 8), byteCount >= 0,
                byteCount <= files.count - position - 512
            else { break }
            let start = position + 512
            if name == agentName || name == "./" + agentName {
                guard byteCount <= largestAgent else { break }
                return Array(files[start..<start + byteCount])
            }
            position = start + (byteCount + 511) / 512 * 512
        }
        throw Inflater.Damage()
    }

    /// The text of a field, without the spaces and zeros that fill it.
    private static func text(_ field: ArraySlice<UInt8>) -> String {
        let end = field.lastIndex { $0 != 0 && $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? field.startIndex
        return String(decoding: field[field.startIndex..<end], as: UTF8.self)
    }
}

extension SystemArchitecture {
    /// The name of the package's processor as of `uname -m`. The package for armhf has the agent for the
    /// oldest of its boards.
    public var machineName: String {
        switch self {
        case .arm64: "aarch64"
        case .armhf: "armv6l"
        case .amd64: "x86_64"
        }
    }
}
