/// The opcode of a PDU, its first byte. Bluetooth Core 5.4, Vol 3, Part F, 3.4.8.
public enum ATTOpcode: UInt8, BitwiseCopyable, Sendable {
    case errorResponse = 0x01
    case exchangeMTURequest = 0x02
    case exchangeMTUResponse = 0x03
    case findInformationRequest = 0x04
    case findInformationResponse = 0x05
    case findByTypeValueRequest = 0x06
    case findByTypeValueResponse = 0x07
    case readByTypeRequest = 0x08
    case readByTypeResponse = 0x09
    case readRequest = 0x0a
    case readResponse = 0x0b
    case readBlobRequest = 0x0c
    case readBlobResponse = 0x0d
    case readMultipleRequest = 0x0e
    case readMultipleResponse = 0x0f
    case readByGroupTypeRequest = 0x10
    case readByGroupTypeResponse = 0x11
    case writeRequest = 0x12
    case writeResponse = 0x13
    case prepareWriteRequest = 0x16
    case prepareWriteResponse = 0x17
    case executeWriteRequest = 0x18
    case executeWriteResponse = 0x19
    case handleValueNotification = 0x1b
    case handleValueIndication = 0x1d
    case handleValueConfirmation = 0x1e
    case readMultipleVariableRequest = 0x20
    case readMultipleVariableResponse = 0x21
    case multipleHandleValueNotification = 0x23
    case writeCommand = 0x52
    case signedWriteCommand = 0xd2

    /// Whether servers send this opcode, so that it is for the local client. All other opcodes are for the
    /// local server.
    public var isFromServer: Bool {
        switch self {
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse,
            .readByTypeResponse, .readResponse, .readBlobResponse, .readMultipleResponse,
            .readByGroupTypeResponse, .writeResponse, .prepareWriteResponse, .executeWriteResponse,
            .handleValueNotification, .handleValueIndication, .readMultipleVariableResponse,
            .multipleHandleValueNotification:
            true
        default: false
        }
    }
}
