import EncounterLog
import GATT
import Peers
import Protocols
import Schemes

/// What we do on a link, one request at a time, in this order: look what there is; send an immediate message; read the
/// payload; look for other schemes and read their identities; write back; share payloads, or wake it; ask for the device's
/// model. A message goes before whatever has not begun, and into the middle of all but a write (HP-C31).
package struct LinkProcedures: BitwiseCopyable {
    package enum Job: BitwiseCopyable, Equatable {
        case none
        case discovery
        /// Its place in the queue.
        case message(delivery: Int)
        case payloadRead
        /// Looking for a scheme, and reading it.
        case schemeRead(SchemeID)
        case schemeWrite
        case writeBack(WriteBack)
        case deviceSearch
        case deviceRead(PeerDetail)
    }

    var job = Job.none
    /// The peer's identity is still to be read.
    var readsPayload: Bool
    var asksModel: Bool
    /// Other schemes are still to be looked for; some have been already.
    var seeksSchemes: Bool
    private var soughtSchemeCount: UInt8 = 0
    /// The peer has answered by one of them.
    var hasFoundScheme = false
    /// One of them could not be read.
    var hasSchemeFailed = false
    private(set) var lacksHerald = false
    private var hasExchangedMTU = false
    /// The link was made to write back.
    let isErrand: Bool
    /// Nothing is left to do; something may come yet.
    var isOver = false
    /// The peer cannot be worked with on this link.
    private(set) var isBroken = false

    // What the peer has. Handle 0: it has not, or nobody has looked.
    private(set) var isDiscovered = false
    private(set) var payloadHandle: UInt16 = 0
    private(set) var signalHandle: UInt16 = 0
    private(set) var signal = HeraldSignalCharacteristic.compliant
    private(set) var modelHandle: UInt16 = 0
    private(set) var makerHandle: UInt16 = 0

    /// The peer would take the next message for the rest of this one: Android phones forget only payloads, and everything
    /// when a link ends.
    private(set) var isSignalSpent = false
    var writer = HeraldSignalWriter()
    /// What a message came in between of.
    var interrupted: AttributeClient?
    var interruptedJob = Job.none

    init(
        readsPayload: Bool = false, seeksSchemes: Bool = false, asksModel: Bool = false,
        isErrand: Bool = false
    ) {
        self.readsPayload = readsPayload
        self.seeksSchemes = seeksSchemes
        self.asksModel = asksModel && readsPayload
        self.isErrand = isErrand
    }

    /// Everything is asked anew. A link's MTU is exchanged once, and what an Android phone took stays with it.
    mutating func askAgain(readsPayload reads: Bool, seeksSchemes seeks: Bool) {
        readsPayload = reads
        seeksSchemes = seeks
        soughtSchemeCount = 0
        hasFoundScheme = false
        hasSchemeFailed = false
        if lacksHerald { isDiscovered = false }
        lacksHerald = false
        isBroken = false
    }

    var canWrite: Bool { signalHandle != 0 && !isSignalSpent }

    /// The next scheme to be looked for.
    mutating func takeScheme() -> SchemeID? {
        defer { soughtSchemeCount += 1 }
        return SchemeID(linkIndex: Int(soughtSchemeCount))
    }

    /// Whether to ask for a larger MTU, which is done once on a link.
    mutating func takeMTUExchange() -> Bool {
        defer { hasExchangedMTU = true }
        return !hasExchangedMTU
    }

    /// The peer has no Herald; it may have other schemes.
    mutating func noteWithoutHerald() {
        isDiscovered = true
        lacksHerald = true
        readsPayload = false
        asksModel = false
        signalHandle = 0
    }

    /// Takes over what discovery has found. A characteristic that takes no writes with response is none (HP-C40).
    mutating func note(_ findings: CharacteristicFindings) -> SignalCharacteristic {
        isDiscovered = true
        payloadHandle = findings.characteristic?.valueHandle ?? 0
        if let compliant = findings.noted(0), compliant.properties.contains(.write) {
            signal = .compliant
            signalHandle = compliant.valueHandle
            return .compliant
        }
        if let other = findings.noted(1), other.properties.contains(.write) {
            signal = .nonCompliant
            signalHandle = other.valueHandle
            return .nonCompliant
        }
        return .absent
    }

    mutating func noteDevice(_ findings: CharacteristicFindings) {
        modelHandle = findings.characteristic?.valueHandle ?? 0
        makerHandle = findings.noted(0)?.valueHandle ?? 0
    }

    /// The next thing to be read of the device; its handle is forgotten.
    mutating func takeDeviceRead() -> (PeerDetail, handle: UInt16)? {
        if modelHandle != 0 {
            defer { modelHandle = 0 }
            return (.model, modelHandle)
        }
        if makerHandle != 0 {
            defer { makerHandle = 0 }
            return (.manufacturer, makerHandle)
        }
        return nil
    }

    /// A message has been written whole, or given up in the middle.
    mutating func noteWritten(_ code: HeraldSignalCode, isWhole: Bool) {
        isSignalSpent = signal == .compliant && (code != .payload || !isWhole)
    }

    /// Nothing more is asked of the peer.
    mutating func giveUp() {
        noteWithoutHerald()
        isBroken = true
        seeksSchemes = false
        interrupted = nil
        modelHandle = 0
        makerHandle = 0
    }
}
