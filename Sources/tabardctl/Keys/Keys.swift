import Archive
import BoardLink
import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import KeyFiles
import LogContents

/// Key files, with failures as one line.
enum Keys {
    /// The file that is used if none is given.
    static func defaultPath(_ name: String) -> String {
        KeyPair.privatePath(name, in: UserFolders.configuration)
    }

    static func operatorKey(_ path: String) throws(Failure) -> OperatorKey {
        let scalar = try privateScalar(path)
        do throws(CryptographyError) { return try OperatorKey(scalar: scalar) } catch {
            throw Failure(KeyFileError.noKey(path))
        }
    }

    static func ownerKeys(_ paths: [String]) throws(Failure) -> OwnerKeys {
        var scalars: [Bytes<32>] = []
        for path in paths { scalars.append(try privateScalar(path)) }
        do throws(CryptographyError) { return try OwnerKeys(scalars: scalars) } catch {
            throw Failure(KeyFileError.noKey(paths.joined(separator: ", ")))
        }
    }

    /// The public half, whichever half is in the file.
    static func publicHalf(_ path: String, from origin: KeyOrigin = .operatorsOwn) throws(Failure)
        -> P256PublicKey
    {
        try open(path, from: origin).publicHalf
    }

    static func privateScalar(_ path: String, from origin: KeyOrigin = .operatorsOwn) throws(Failure)
        -> Bytes<32>
    {
        do throws(KeyFileError) { return try KeyFile.privateScalar(path: path) } catch {
            throw Failure(error, origin)
        }
    }

    static func open(_ path: String, from origin: KeyOrigin = .operatorsOwn) throws(Failure) -> KeyFile {
        do throws(KeyFileError) { return try KeyFile(path: path) } catch { throw Failure(error, origin) }
    }
}

/// The origin of a missing key, for the hint in the failure.
enum KeyOrigin {
    case operatorsOwn
    case sonarAuthority
    case exposureNotificationAuthority
    /// A key of an authority, of which only the public half is known.
    case published

    fileprivate var remedy: String {
        switch self {
        case .operatorsOwn: "create keys with `tabardctl keys new`"
        case .sonarAuthority: "create the authority's keys with `tabardctl authority sonar new`"
        case .exposureNotificationAuthority:
            "create the authority's keys with `tabardctl authority exposure-notification new`"
        case .published: "get the public key that the authority publishes"
        }
    }
}

extension Failure {
    init(_ error: KeyFileError, _ origin: KeyOrigin = .operatorsOwn) {
        switch error {
        case .absent(let path):
            self.init(.noInput, "\(path): no such file; \(origin.remedy)")
        case .cannotRead(let path, let code):
            self.init(
                code == EACCES || code == EPERM ? .noPermission : .inputOutput,
                "\(path): \(String(cString: strerror(code))); ask its owner, or give another key")
        case .tooOpen(let path):
            self.init(
                .noPermission,
                "\(path): other users can read this private key; run chmod 600, and rotate the key if one did"
            )
        case .noKey(let path):
            self.init(.data, "\(path): not a P-256 key in PEM or DER; \(origin.remedy)")
        case .publicOnly(let path):
            self.init(.data, "\(path): a public key; give the private key")
        case .exists(let path):
            self.init(
                .cannotCreate, "\(path): already exists and was not changed; choose another --directory")
        case .cannotWrite(let path, let code): self.init(cannotWrite: path, code)
        }
    }
}
