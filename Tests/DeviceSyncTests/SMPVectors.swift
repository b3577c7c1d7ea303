import TestSupport

/// The vectors in Tests/Vectors/smp.json: requests of the smp and smpclient packages from PyPI, and answers
/// they accept.
struct SMPVectors: Decodable {
    struct Request: Decodable {
        let name: String
        /// The request as on the line, and without framing.
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
