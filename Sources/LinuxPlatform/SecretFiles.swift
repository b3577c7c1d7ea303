import Agent
import CLinux
import Configuration
import Cryptography
import FixedMemory
import Schemes

/// The files from which a board derives its identities: the day keys of Herald and CovidTracer, and Sonar's
/// registration. Only their owner may read them. Each is replaced as a whole, and its old contents are
/// overwritten.
public struct SecretFiles: Sendable {
    private let herald: FixedText<256>
    private let covidTracer: FixedText<256>?
    private let sonar: FixedText<256>?

    /// For a path that is nil nothing is read or stored.
    public init(herald: FixedText<256>, covidTracer: FixedText<256>?, sonar: FixedText<256>?) {
        self.herald = herald
        self.covidTracer = covidTracer
        self.sonar = sonar
    }

    /// Checks that the day keys of a scheme can be read and stored. A missing file is created without keys;
    /// the agent fills it when it knows the date.
    public func check(_ scheme: SchemeID) throws(SecretFileError) {
        if var keys = try dayKeys(of: scheme) { return keys.wipe() }
        guard let path = path(of: scheme) else { return }
        let status = Self.write(DayKeys(scheme), to: path)
        guard status >= 0 else { throw .cannotMake(-status) }
    }

    /// - Returns: The registration that Sonar's authority gave this board; nil if the file does not exist.
    public func sonarRegistration() throws(SecretFileError) -> SonarRegistration? {
        guard let sonar, var record = try Self.read(sonar) else { return nil }
        defer { record.wipe() }
        guard let registration = SonarRegistrationRecord.decode(record.span) else { throw .damaged }
        return registration
    }

    func store(sonarRegistration record: Span<UInt8>) -> Bool {
        guard let sonar else { return false }
        return Self.write(record, to: sonar) >= 0
    }

    func store(_ new: DayKeys) -> Bool {
        guard let path = path(of: new.scheme) else { return false }
        var keys = new
        if let old = try? dayKeys(of: new.scheme) { keys = old.joined(by: new) }
        defer { keys.wipe() }
        return Self.write(keys, to: path) >= 0
    }

    /// Returns the key for `day` after erasing the keys of days before `current`; nil if they could not be
    /// erased.
    func dayKey(of scheme: SchemeID, on day: UInt32, erasingBefore current: UInt32) -> DayKeyOffer? {
        guard let path = path(of: scheme) else { return nil }
        do throws(SecretFileError) {
            guard var keys = try dayKeys(of: scheme) else { return DayKeyOffer() }
            defer { keys.wipe() }
            if keys.drop(before: current), Self.write(keys, to: path) < 0 { return nil }
            return keys.offer(on: day)
        } catch {
            return nil
        }
    }

    /// Copies the record of a scheme's secrets; the copy stays empty if there is none.
    /// - Returns: false if it cannot be read.
    func copy(_ scheme: SchemeID, to record: inout FixedBuffer<2048>) -> Bool {
        do throws(SecretFileError) {
            switch scheme {
            case .herald, .covidTracer:
                guard var keys = try dayKeys(of: scheme), !keys.isEmpty else { return true }
                defer { keys.wipe() }
                record = keys.record
            case .sonar:
                guard let sonar, var stored = try Self.read(sonar) else { return true }
                defer { stored.wipe() }
                record = stored
                guard SonarRegistrationRecord.decode(record.span) != nil else { throw .damaged }
            case .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: break
            }
            return true
        } catch {
            record.wipe()
            return false
        }
    }

    private func path(of scheme: SchemeID) -> FixedText<256>? {
        scheme == .herald ? herald : covidTracer
    }

    /// Returns the day keys; nil if the file does not exist.
    private func dayKeys(of scheme: SchemeID) throws(SecretFileError) -> DayKeys? {
        guard let path = path(of: scheme), var record = try Self.read(path) else { return nil }
        defer { record.wipe() }
        // Earlier versions stored a secret or root of this length.
        let rootByteCount = scheme == .herald ? HeraldKeySchedule.secretByteCount : 32
        guard record.count != rootByteCount else { throw .root }
        guard let keys = try? DayKeys(record: record.span), keys.scheme == scheme else { throw .damaged }
        return keys
    }

    /// Reads the first 2,048 bytes, which is more than any record has; nil if the file does not exist.
    private static func read(_ path: FixedText<256>) throws(SecretFileError) -> FixedBuffer<2048>? {
        var size: Int64 = 0
        let descriptor = path.withCString { clinux_open_private($0, &size) }
        if descriptor == -CLINUX_ENOENT { return nil }
        guard descriptor != -CLINUX_EBADMSG else { throw .notPrivate }
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        defer { _ = clinux_close(descriptor) }
        var bytes = Bytes<2048>()
        defer { bytes.wipe() }
        var room = bytes.mutableSpan
        let count = room.withUnsafeMutableBytes { clinux_read_at(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .cannotRead(Int32(truncatingIfNeeded: -count)) }
        return FixedBuffer(bytes.span.extracting(0..<Int(truncatingIfNeeded: count)))
    }

    /// - Returns: A negative error number if the keys could not be written.
    private static func write(_ keys: DayKeys, to path: FixedText<256>) -> Int32 {
        var record = keys.record
        defer { record.wipe() }
        return write(record.span, to: path)
    }

    private static func write(_ record: Span<UInt8>, to path: FixedText<256>) -> Int32 {
        path.withCString { path in
            record.withUnsafeBytes { clinux_make_private(path, $0.baseAddress, $0.count) }
        }
    }
}

public enum SecretFileError: Error, BitwiseCopyable, Equatable, Sendable {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case cannotMake(Int32)
    /// Others than the owner may read the file, or it is not a plain file.
    case notPrivate
    /// The file holds a secret or root, from which the keys of all days follow. A board must only have day
    /// keys.
    case root
    /// The contents of the file are invalid.
    case damaged
}
