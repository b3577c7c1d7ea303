import CommandLineText
import FixedMemory
import KeyFiles
import Schemes

/// Files from which all of a board's identities in a scheme follow, with failures as one line.
enum SchemeSecrets {
    /// The secret of 2,048 bytes.
    static func herald(_ path: String) throws(Failure) -> [UInt8] {
        let file = try Documents.bytes(path, isPrivate: true)
        guard file.count == HeraldKeySchedule.secretByteCount else {
            throw Failure(
                .data,
                "\(path): not a Herald secret of \(HeraldKeySchedule.secretByteCount) bytes; check the file")
        }
        return file
    }

    static let covidTracerByteCount = 32

    static func covidTracer(_ path: String) throws(Failure) -> CovidTracerRootKey {
        try covidTracer(Documents.bytes(path, isPrivate: true), path: path)
    }

    /// - Parameter path: the source of the bytes.
    static func covidTracer(_ bytes: [UInt8], path: String) throws(Failure) -> CovidTracerRootKey {
        guard let bytes = Bytes<32>(bytes.span) else {
            throw Failure(
                .data, "\(path): not a CovidTracer root key of \(covidTracerByteCount) bytes; check the file")
        }
        return CovidTracerRootKey(bytes)
    }

    static func sonar(_ path: String) throws(Failure) -> SonarRegistration {
        let record = try Documents.bytes(path, isPrivate: true)
        guard let registration = SonarRegistrationRecord.decode(record.span) else {
            throw Failure(.data, "\(path): not a Sonar registration, or damaged; register again")
        }
        return registration
    }
}
