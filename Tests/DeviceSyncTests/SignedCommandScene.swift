import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// The server, with the test in the role of the agent, and a client that has the operator key or a wrong
/// one.
final class SignedCommandScene {
    var server = SyncServer()
    var store = MemoryStore()
    var operatorKey: KeyPair
    let owner: KeyPair
    var ownerKey: P256PublicKey { owner.publicHalf }
    let boardKey: P256PublicKey
    private let boardScalar: Bytes<32>
    /// The steps that the last request took.
    private(set) var stepCount = 0
    var storesKeys = true
    private var log: Void = ()
    private var nextNonce: UInt8 = 1

    /// The configuration that the client set.
    var assignments: String?
    var configurationRefusal = ""
    /// The secrets that the client sent, and of which the board hands out a copy.
    var secrets: [UInt8]?
    var canReadSecrets = true
    static let configuration = Bytes<32>([UInt8](repeating: 5, count: 32)) ?? Bytes()
    var secretsRefusal = ""

    init(isProvisioned: Bool = true) throws {
        operatorKey = try KeyPair()
        owner = try KeyPair()
        let pair = try P256PrivateKey(entropy: .system)
        boardKey = pair.publicKey
        boardScalar = try pair.scalarBytes()
        var keys = BoardPublicKeys(board: pair.publicKey)
        if isProvisioned {
            keys.ownerKey = owner.publicHalf
            keys.operatorKey = operatorKey.publicHalf
        }
        store.publicKeys = keys
        store.status.logIdentity = Bytes<16>([UInt8](1...16).span) ?? Bytes()
    }

    var hasWork: Bool { server.hasWork }

    /// Whether the server's memory has 32 bytes of ``secrets`` somewhere.
    var holdsSecrets: Bool {
        withUnsafeBytes(of: &server) { memory in
            memory.firstRange(of: (secrets ?? []).prefix(32)) != nil
        }
    }

    func ask(_ packet: SMPPacket) throws -> [UInt8] {
        receive(try line(packet))
        answerRequest()
        stepCount = 0
        while server.hasWork {
            step()
            answerRequest()
            stepCount += 1
        }
        let output = array(server.output)
        server.drain(output.count)
        return frames(in: output).first ?? []
    }

    /// Sends a packet, and lets the board work on it up to the first slice after the question to its agent.
    func begin(_ packet: SMPPacket) throws {
        receive(try line(packet))
        var isAsked = false
        while server.hasWork, !isAsked {
            step()
            isAsked = answerRequest()
        }
        step()
    }

    func receive(_ line: [UInt8]) { server.receive(line.span, store: &store, log: &log) }

    func step() { server.step(store: &store, log: &log) }

    /// - Returns: whether there was a request for the agent.
    @discardableResult
    private func answerRequest() -> Bool {
        switch server.nextRequest() {
        case nil: return false
        case .nonce:
            server.answer(
                nonce: Bytes<16>([UInt8](repeating: nextNonce, count: 16).span) ?? Bytes(), now: store.now)
            nextNonce += 1
        case .storeKeys(let keys):
            if storesKeys { store.publicKeys = keys }
            server.answer(keys: storesKeys ? keys : nil)
        case .send(let message):
            server.answer(
                .success(MessageReport(number: message.number, queuedCount: 1, leftOutCount: 0)))
        case .report: server.answer(.failure(.unknownMessage))
        case .manifest, .acknowledge, .erase: server.answer(segments: .success(3))
        case .configure:
            assignments = String(decoding: array(server.staged.span), as: UTF8.self)
            server.answer(configurationRefusal: Array(configurationRefusal.utf8).span)
        case .openSecrets: server.openSecrets(scalar: boardScalar)
        case .storeSecrets:
            secrets = array(server.staged.span)
            server.answer(secretsRefusal: Array(secretsRefusal.utf8).span)
        case .expectUpdate, .storeUpdatePiece: break
        case .backUp(let scheme, let context):
            let record = canReadSecrets ? secrets ?? [] : []
            var contents = BackupContents()
            contents.scheme = scheme
            contents.state = canReadSecrets ? (record.isEmpty ? .none : .sealed) : .unreadable
            contents.context = context
            contents.configuration = Self.configuration
            server.backUp(
                record.span, contents, for: ownerKey, boardScalar: boardScalar, entropy: .system)
        }
        return true
    }

    func nonce() throws -> Bytes<16> {
        let request = SyncRequest.nonce(sequence: 9)
        let answer = try ask(request)
        let response = try SyncResponse(answer.span, to: request)
        return try response.nonce()
    }

    /// The record, sealed for the board as `tabardctl` seals it.
    func sealed(_ record: [UInt8]) throws -> [UInt8] {
        let key = try #require(store.publicKeys?.board)
        let sealed = try SealedRecord.seal(
            record.span, for: key, logIdentity: store.status.logIdentity, entropy: .system)
        return array(sealed.span)
    }

    func refusal(ofSecrets sealed: [UInt8]) throws -> SMPRefusal? {
        let request = try SyncRequest.storeSecrets(sealed.span, sequence: 1)
        return try refusal(of: request)
    }

    func envelope(_ command: SMPPacket, nonce: Bytes<16>) throws -> SMPPacket {
        let digest = SignedCommand.digest(
            of: command.span, nonce: nonce, logIdentity: store.status.logIdentity)
        return try SyncRequest.signed(
            command, signature: try operatorKey.sign(digest), sequence: 77)
    }

    /// Sends a packet and returns the refusal; nil if the board ran the command.
    func refusal(of packet: SMPPacket) throws -> SMPRefusal? {
        let answer = try ask(packet)
        do throws(SyncResponseError) {
            _ = try SyncResponse(answer.span, to: packet)
            return nil
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return refusal
        }
    }
}

/// A key pair of an operator.
struct KeyPair {
    let scalar: Bytes<32>
    let publicHalf: P256PublicKey

    init() throws {
        let key = try P256PrivateKey(entropy: .system)
        scalar = try key.scalarBytes()
        publicHalf = key.publicKey
    }

    func sign(_ digest: Bytes<32>) throws -> Bytes<64> {
        var key = try P256PrivateKey(scalar: scalar, entropy: .system)
        return try key.sign(digest: digest, entropy: .system)
    }
}
