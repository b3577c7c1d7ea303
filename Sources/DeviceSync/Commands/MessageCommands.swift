import FixedMemory

/// Group 64: messages to peers, and reports on their delivery.
extension SyncResponder {
    static func messageRequest(_ body: RequestBody) throws(SMPRefusal) -> MessageRequest {
        let number = try messageNumber(body)
        guard let bytes = try body.bytes("data") else { throw .invalidValue }
        guard let data = FixedBuffer<509>(bytes), !data.isEmpty else { throw .messageLength }
        let address = try body.bytes("address")
        let identity = try body.bytes("identity")
        var recipients = MessageRequest.Recipients.all
        if let address {
            guard identity == nil, address.count == 7, address[6] <= 1,
                let device = Bytes<6>(address.extracting(0..<6))
            else { throw .invalidValue }
            recipients = .address(device, type: address[6])
        } else if let identity {
            guard let whole = FixedBuffer<512>(identity), !whole.isEmpty else { throw .invalidValue }
            recipients = .identity(whole)
        }
        return MessageRequest(number: number, recipients: recipients, data: data)
    }

    static func messageNumber(_ body: RequestBody) throws(SMPRefusal) -> UInt32 {
        guard let number = try body.unsigned("id"), number > 0, number <= 0xFFFF_FFFF else {
            throw .invalidValue
        }
        return UInt32(truncatingIfNeeded: number)
    }

}

extension SMPRefusal {
    init(_ error: MessageError) {
        self =
            switch error {
            case .nobodyThere: .messageNobodyThere
            case .queueFull: .messageQueueFull
            case .unknownMessage: .messageUnknown
            }
    }
}
