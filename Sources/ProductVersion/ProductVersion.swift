import CProductVersion
import FixedMemory

/// The version of Tabard, as all its programs print it, boards log it at each boot, and packages have it.
///
/// The file VERSION states it. CHANGELOG.md describes each version. The numbers follow Semantic Versioning
/// 2.0.0.
public enum ProductVersion {
    public static var major: UInt8 { tabard_version_number(0) }
    public static var minor: UInt8 { tabard_version_number(1) }
    public static var patch: UInt8 { tabard_version_number(2) }

    /// The three numbers in that order, as in a boot entry of the log.
    public static var bytes: Bytes<3> {
        var bytes = Bytes<3>()
        bytes[0] = major
        bytes[1] = minor
        bytes[2] = patch
        return bytes
    }

    /// Writes the numbers with dots between them, such as 0.3.0.
    public static func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        try sink.append(decimal: major)
        try sink.append(UInt8(ascii: "."))
        try sink.append(decimal: minor)
        try sink.append(UInt8(ascii: "."))
        try sink.append(decimal: patch)
    }
}
