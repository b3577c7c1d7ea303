import FixedMemory
import GATT
import Peers
import Protocols

/// A Herald server that can refuse reads and writes.
struct PickyServer: AttributeDelegate, ~Copyable {
    var herald: HeraldServer
    var refusesWrites = false
    /// The error of refused reads and writes.
    var refusal = ATTError.unlikelyError
    var schemeValues: [[UInt8]?] = []

    mutating func linkOpened() { herald.linkOpened(0) }

    mutating func takeMessage() -> ScriptedPhone.SignalMessage? {
        guard let message = herald.takeMessage() else { return nil }
        let payload = herald.messagePayload(link: 0)
        return ScriptedPhone.SignalMessage(
            code: message.code, data: payload.span.array, rssiDBm: herald.messageRSSIDBm(link: 0))
    }

    mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)
    {
        let index = Int(identifier.rawValue) - ScriptedPhone.firstSchemeValue
        guard index >= 0 else { return try herald.read(identifier, link: link, into: &value) }
        guard let said = schemeValues[index] else { throw refusal }
        try? value.append(said.span)
    }

    mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
    {
        if refusesWrites { throw refusal }
        if Int(identifier.rawValue) >= ScriptedPhone.firstSchemeValue { return }
        try herald.write(identifier, link: link, value: value, kind: kind)
    }
}
