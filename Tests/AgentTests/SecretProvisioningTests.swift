import Agent
import Cryptography
import DeviceSync
import FixedMemory
import Schemes
import Testing

/// Tests which secrets a board accepts over the cable.
@Suite struct SecretProvisioningTests {
    @Test func `a Sonar registration is stored; unknown and damaged records are refused`() throws {
        let world = BoardWorld()
        world.store.heraldSchedule = nil
        world.store.keys = try BoardKeys(entropy: .system)
        var scene = try Scene("agent.role=wearable", in: world)
        scene.run(milliseconds: 5_000)
        #expect(try scene.provision([1, 2, 3]) == .secretsRefused)
        let registration = SonarRegistration(
            installation: Bytes(), secret: Bytes(),
            authorityKey: try P256PrivateKey(entropy: .system).publicKey)
        let record = SonarRegistrationRecord.encode(registration).span.array
        var damaged = record
        damaged[20] ^= 1
        #expect(try scene.provision(damaged) == .secretsRefused)
        #expect(world.store.sonarRecord.isEmpty)
        world.store.keepsSecrets = false
        #expect(try scene.provision(record) == .secretsRefused)
        #expect(world.store.refusals == [.unknownRecord, .unknownRecord, .notStored])
        world.store.keepsSecrets = true
        #expect(try scene.provision(record) == nil)
        #expect(world.store.sonarRecord == record)
    }

    @Test func `the board's day keys and registration can be backed up by its operator`() throws {
        let world = BoardWorld()
        world.store.heraldSchedule = nil
        let owner = try P256PrivateKey(entropy: .system)
        let operatorKey = try P256PrivateKey(entropy: .system)
        var keys = try BoardKeys(entropy: .system)
        keys.publicHalves.ownerKey = owner.publicKey
        keys.publicHalves.operatorKey = operatorKey.publicKey
        world.store.keys = keys
        world.store.dayKeyRecords[.covidTracer] = [1, 2, 3]
        var scene = try Scene("agent.role=wearable", in: world)
        scene.run(milliseconds: 5_000)
        let scalar = try operatorKey.scalarBytes()
        var covidTracer = try scene.backup(scheme: 3, signedBy: scalar)
        #expect(covidTracer.sealed.count == 3 + SealedRecord.overheadByteCount)
        let sonar = try scene.backup(scheme: 2, signedBy: scalar)
        #expect(sonar.state == .none)
        let unknown = try scene.backup(scheme: 200, signedBy: scalar)
        #expect(unknown.state == .none, "an unknown scheme has none")
        world.store.keepsSecrets = false
        covidTracer = try scene.backup(scheme: 3, signedBy: scalar)
        #expect(covidTracer.state == .unreadable)
    }
}

extension Scene {
    mutating func backup(scheme: UInt8, signedBy scalar: Bytes<32>) throws -> BackupAnswer {
        let question = SyncRequest.nonce(sequence: 6)
        let nonceAnswer = try ask(question)
        let nonce = try SyncResponse(nonceAnswer.span, to: question).nonce()
        let request = try SyncRequest.backup(scheme: scheme, context: Bytes(), sequence: 7)
        let digest = SignedCommand.digest(
            of: request.span, nonce: nonce, logIdentity: try boardStatus().logIdentity)
        var key = try P256PrivateKey(scalar: scalar, entropy: .system)
        let envelope = try SyncRequest.signed(
            request, signature: key.sign(digest: digest, entropy: .system), sequence: 8)
        let answer = try ask(envelope)
        return try SyncResponse(answer.span, to: envelope).backup()
    }

    private mutating func boardKey() throws -> P256PublicKey {
        let question = SyncRequest.keys(sequence: 4)
        let answer = try ask(question)
        let response = try SyncResponse(answer.span, to: question)
        return try response.keys().board
    }

    /// Sends a record of secrets, sealed for the board's key; returns the board's refusal.
    mutating func provision(_ record: [UInt8]) throws -> SMPRefusal? {
        let key = try boardKey()
        let identity = try boardStatus().logIdentity
        let sealed = try SealedRecord.seal(
            record.span, for: key, logIdentity: identity, entropy: .system)
        let request = try SyncRequest.storeSecrets(sealed.span, sequence: 5)
        let answer = try ask(request)
        do throws(SyncResponseError) {
            _ = try SyncResponse(answer.span, to: request).restarts()
            return nil
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return refusal
        }
    }
}
