import FixedMemory
import Foundation
import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct SonarUploadTests {
    /// The body in Tests/Vectors/schemes/sonar.json.
    private func body() throws -> String {
        let file = try JSONReader.read([UInt8](Data(contentsOf: Vectors.url("schemes/sonar.json"))))
        return try #require(file["upload"]?["body_utf8"]?.string)
    }

    private func field(_ body: String) -> String? {
        do throws(SonarUploadError) {
            _ = try SonarUpload(body: Array(body.utf8))
            return nil
        } catch {
            return error.field
        }
    }

    @Test func `Android's dialect has base64 in lines and times as text, for the same upload`() throws {
        let upload = try SonarUpload(body: Array(try body().utf8))
        let android = upload.body(.android)
        #expect(android.contains(#""rssiValues":"w8HG\n""#))
        #expect(android.contains(#""timestamp":"2020-05-07T09:15:30Z""#))
        #expect(android.contains(#""hmacSignature":"Gjg4xu4NGDG2uK7CyoXJ/w==\n""#))
        #expect(android.contains(#""sonarId":"e1d160c7-"#))
        #expect(try SonarUpload(body: Array(android.utf8)) == upload)
        #expect(upload.body(.iOS) == (try body()))
    }

    @Test func `an error names its field`() throws {
        let good = try body()
        for (old, new, expected) in [
            ("COUGH", "COLD", "symptoms"), ("2020-05-09T08:00:00Z", "2020-05-09", "symptomsTimestamp"),
            ("E1D160C7", "E1d160C7", "sonarId"),
        ] {
            let changed = good.replacing(old, with: new)
            #expect(changed != good)
            #expect(field(changed) == expected)
        }
        #expect(field("") == "not JSON at byte 0: expected a value")
    }

    @Test func `a contact that cannot be read names its field and leaves the others`() throws {
        let good = try body()
        let whole = try SonarUpload(body: Array(good.utf8))
        for (old, new, expected) in [
            ("[-61,-63,-58]", "[-61,-63]", "rssiIntervals"),
            ("[-61,-63,-58]", "[-61,-63,-129]", "rssiValues"),
            (#""duration":16"#, #""duration":-1"#, "duration"),
            ("Gjg4xu4NGDG2uK7CyoXJ/w==", "Gjg4", "hmacSignature"),
            ("1588842930,\"duration", "15888429300,\"duration", "timestamp"),
            (#""countryCode":826"#, #""countryCode":82600"#, "countryCode"),
        ] {
            let changed = good.replacing(old, with: new, maxReplacements: 1)
            #expect(changed != good)
            let upload = try SonarUpload(body: Array(changed.utf8))
            #expect(upload.contacts.first == .failure(SonarUploadError(field: expected)))
            #expect(upload.contacts.dropFirst() == whole.contacts.dropFirst())
        }
    }
}
