import FixedMemory

/// Group 64: messages to peers, and reports on their delivery.
extension RequestBody {
    func messageRequest() throws(SMPRefusal) -> MessageRequest {
        let number = try messageNumber()
        guard let content = try bytes("data") else { throw .invalidValue }
        guard let data = FixedBuffer<509>(content), !data.isEmpty else { throw .messageLength }
        let address = try bytes("address")
        let identity = try bytes("identity")
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

    func messageNumber() throws(SMPRefusal) -> UInt32 {
        guard let number = try unsigned("id"), number > 0, number <= 0xFFFF_FFFF else {
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
