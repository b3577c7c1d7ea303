import DeviceSync
import FixedMemory
import Testing

extension Scene {
    /// Asks the board over the sync line to send `data`.
    mutating func send(
        _ data: [UInt8], to recipients: MessageRequest.Recipients = .all, number: UInt32 = 1
    ) throws -> MessageReport {
        let message = MessageRequest(
            number: number, recipients: recipients, data: FixedBuffer<509>(data.span) ?? FixedBuffer())
        let request = try SyncRequest.send(message, sequence: 77)
        let answer = try ask(request)
        return try SyncResponse(answer.span, to: request).messageReport()
    }

    mutating func report(_ number: UInt32 = 1) throws -> MessageReport {
        let request = try SyncRequest.messageReport(number: number, sequence: 78)
        let answer = try ask(request)
        return try SyncResponse(answer.span, to: request).messageReport()
    }
}

extension ScriptedPhone {
    var asRecipient: MessageRequest.Recipients {
        .address(address.bytes, type: address.addressType)
    }
}

extension ScriptedPhone.SignalMessage {
    static func immediate(_ data: [UInt8]) -> Self { Self(code: .immediateSend, data: data) }
}

/// Makes a scene whose phones were all read, with no link open.
func settledScene(_ phones: [ScriptedPhone], _ options: [String] = []) throws -> Scene {
    var scene = try Scene(options: options)
    scene.phones = phones
    scene.run { _ in phones.allSatisfy { $0.linkCount > 0 && !$0.isConnected } }
    scene.run(milliseconds: 2_000)
    return scene
}
