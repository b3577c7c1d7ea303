import Cryptography
import Foundation
import LogContents

/// What a computer knows about an archive and keeps outside of it. An archive that was in other hands cannot
/// vouch for itself.
public struct ArchiveCustody: Sendable {
    /// Proves rows that only the operator can make (``RowProof``).
    let secret: [UInt8]
    /// The keys of boards that the operator has trusted.
    public var knownBoards: KnownBoards
    /// Whether this computer filled the derived tables, and nobody has changed the file since.
    public var hasFilledTables: Bool
    /// Whether the rows of an earlier version, which have no proof, are the operator's own.
    public var adoptsEarlierRows: Bool

    /// - Parameter secret: 32 bytes that nobody else knows.
    public init(
        secret: [UInt8], knownBoards: KnownBoards = KnownBoards(), hasFilledTables: Bool = true,
        adoptsEarlierRows: Bool = false
    ) {
        self.secret = secret
        self.knownBoards = knownBoards
        self.hasFilledTables = hasFilledTables
        self.adoptsEarlierRows = adoptsEarlierRows
    }

    /// Whether boards that the archive calls trusted are those of the operator, even if the list has none.
    public var vouchesForItself: Bool { hasFilledTables || adoptsEarlierRows }

    /// For archives that do not leave this process.
    public static let ofThisProcess = ArchiveCustody(
        secret: (0..<32).map { _ in UInt8.random(in: 0...255) }, adoptsEarlierRows: true)
}

/// Proofs of rows that no board has signed: redacted pages, forgotten parts, clock samples and own keys. A
/// proof is a code over the row under a secret that is not in the archive.
struct RowProof {
    enum Table: String { case redactedPage, forgotten, clockReading, ownKey }

    let secret: [UInt8]

    /// The proof of a row of a board's log.
    func code(_ table: Table, of board: Data, _ numbers: [Int64], _ blobs: [Data] = []) -> Data {
        var message = Array("tabard archive row 1 \(table.rawValue)".utf8) + [0]
        for field in [board] + blobs { message += Self.bytes(Int64(field.count)) + [UInt8](field) }
        for number in numbers { message += Self.bytes(number) }
        do throws(CryptographyError) {
            return Data(copying: try HMACSHA256.code(of: message.span, key: secret.span).span)
        } catch {
            // Without a code nothing is proven.
            return Data()
        }
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
