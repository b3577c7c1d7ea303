import TestSupport

/// Tests/Vectors/smp.json: what the smp and smpclient packages from PyPI send, and the answers they accept.
struct SMPVectors: Decodable {
    struct Request: Decodable {
        let name: String
        /// As on the line, and without framing.
        let serial, packet: String
        let answer: String?
    }
    struct DateTime: Decodable {
        let text: String
        let milliseconds: UInt64
    }

    let requests: [Request]
    let datetimes: [DateTime]
    let refusedDatetimes: [String]

    static func load() throws -> SMPVectors { try Vectors.load("smp.json") }
}
