import EncounterLog
import GATT
import Peers
import Protocols
import Schemes

/// The procedures of one link, one request at a time, in this order: discover Herald's service; send an
/// immediate message; read the payload; look for the other schemes and read their identities; write back;
/// ask for the device's model. An immediate message goes before everything that has not begun, and
/// interrupts everything except a write (HP-C31).
struct LinkProcedures: BitwiseCopyable {
    enum Procedure: BitwiseCopyable, Equatable {
        case none
        case discovery
        /// - Parameter delivery: The index in the ``MessageQueue``.
        case message(delivery: Int)
        case payloadRead
        /// The search for a scheme's service, and the reading of its identity.
        case schemeRead(SchemeID)
        case schemeWrite(SchemeID)
        case writeBack(WriteBack)
        case deviceSearch
        case deviceRead(PeerDetail)
    }

    var current = Procedure.none
    /// Whether nothing is left to do on the link; the peer may still use it.
    var areDone = false
    /// Whether the peer's Herald payload must still be read.
    var readsPayload: Bool
    /// The link was opened in order to write.
    let isForWriting: Bool
    var schemes: SchemeSearch
    var device: DeviceReading
    var signal = SignalWriting()
    private(set) var lacksHerald = false
    private var hasExchangedMTU = false
    /// The peer has failed in a way that makes further requests on this link useless.
    private(set) var isBroken = false
    private(set) var isDiscovered = false
    /// The handle of Herald's payload characteristic; 0 if the peer has none that can be read, and before
    /// discovery.
    private(set) var payloadHandle: UInt16 = 0
    /// The client and the procedure that an immediate message interrupted.
    private var interrupted: AttributeClient?
    private var interruptedProcedure = Procedure.none

    init(
        readsPayload: Bool = false, seeksSchemes: Bool = false, asksModel: Bool = false,
        isForWriting: Bool = false
    ) {
        self.readsPayload = readsPayload
        schemes = SchemeSearch(isWanted: seeksSchemes)
        device = DeviceReading(isWanted: asksModel && readsPayload)
        self.isForWriting = isForWriting
    }

    mutating func begin(_ procedure: Procedure) {
        current = procedure
        areDone = false
    }

    /// Prepares to read the peer again. The MTU and the state of signal writing stay: a link exchanges the
    /// MTU once, and an Android phone keeps what was written to it.
    mutating func askAgain(readsPayload reads: Bool, seeksSchemes seeks: Bool) {
        readsPayload = reads
        schemes = SchemeSearch(isWanted: seeks)
        if lacksHerald { isDiscovered = false }
        lacksHerald = false
        isBroken = false
    }

    /// Whether to ask for a larger MTU, which happens once on a link.
    mutating func takeMTUExchange() -> Bool {
        defer { hasExchangedMTU = true }
        return !hasExchangedMTU
    }

    /// Records that the peer has no Herald service. It may have other schemes.
    mutating func markWithoutHerald() {
        isDiscovered = true
        lacksHerald = true
        readsPayload = false
        device.isWanted = false
        signal.close()
    }

    /// Records the characteristics that discovery has found, and returns the one for signals.
    mutating func record(_ findings: CharacteristicFindings) -> SignalCharacteristic {
        isDiscovered = true
        payloadHandle = findings.characteristic?.valueHandle ?? 0
        return signal.open(findings)
    }

    /// Records that the payload could not be read from any instance of the service. If the agent asks again
    /// over this link, it begins with a discovery.
    mutating func forgetPayload() {
        payloadHandle = 0
        readsPayload = false
        device.isWanted = false
    }

    /// Ends all procedures of the link. The peer gets no further requests.
    mutating func giveUp() {
        markWithoutHerald()
        isBroken = true
        schemes.isWanted = false
        interrupted = nil
        device.forget()
    }

    mutating func interrupt(_ client: AttributeClient) {
        interrupted = client
        interruptedProcedure = current
    }

    /// Returns the interrupted client and procedure, once; nil if no message interrupted one.
    mutating func takeInterrupted() -> (AttributeClient, Procedure)? {
        guard let client = interrupted else { return nil }
        interrupted = nil
        return (client, interruptedProcedure)
    }
}
