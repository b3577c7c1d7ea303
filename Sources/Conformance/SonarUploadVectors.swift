import Authority
import FixedMemory
import Schemes
import TextFormats

/// `upload`: a body that must be reproduced byte for byte, its signature, and its contacts, resolved.
enum SonarUploadVectors {
    static func check(_ object: VectorObject, _ root: VectorObject) throws {
        try object.expect("method", SonarUpload.method)
        try object.expect("path", SonarUpload.path)
        try SonarVectors.checkSignature(object, object.block("signing_key_hex"))
        guard UTCTime.seconds(try object.text("timestamp_header")) != nil else {
            throw object.error("timestamp_header", "not a time")
        }
        let body = try object.text("body_utf8")
        let upload = try SonarUpload(body: Array(body.utf8))
        try object.expect("body_utf8", upload.body(.iOS))
        guard try SonarUpload(body: Array(upload.body(.android).utf8)) == upload else {
            throw object.error("body_utf8", "is another upload in Android's dialect")
        }
        var resolver = try SonarResolver(scalar: SonarVectors.serverScalar(root), entropy: .system)
        let references = try SonarVectors.referenceCases(root)
        for event in upload.events {
            let cryptogram = Hexadecimal.text([UInt8](copying: event.payload.broadcast.cryptogram))
            let reference = try references.first { try $0.text("cryptogram_106") == cryptogram }
            guard let secret: Bytes<32> = try reference?.block("hmac_key_32") else {
                throw object.error("body_utf8", "has a contact that no case of the vectors describes")
            }
            _ = try resolver.resolve(event.payload, observedAt: UInt64(event.startSeconds)) { _ in secret }
        }
    }
}
