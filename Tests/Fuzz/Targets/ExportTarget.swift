import Authority
import TextFormats

/// The input is parsed as an export file, a signature file, a package of both, an upload, a list of
/// positives, a register, a request, a form, and arbitrary JSON.
enum ExportTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let header = ExposureKeyExport.header
        for file in [input, header + input] {
            guard let export = try? ExposureKeyExport(file: file) else { continue }
            for key in export.keys + export.revisedKeys { _ = try? key.key() }
            let again = try? ExposureKeyExport(file: export.file)
            // Keys that cannot be read are counted, and are not written.
            try require(again?.file == export.file, "an export written and read is the same")
            try require(again?.unreadableKeyCount == 0, "an export that was written has readable keys only")
        }
        if let signatures = try? ExportSignatures(file: input) {
            let again = try? ExportSignatures(file: signatures.file)
            try require(again == signatures, "signatures written and read are the same")
        }
        if let package = try? ExportPackage(zip: input) {
            let again = try? ExportPackage(zip: package.zip)
            try require(again == package, "a package written and read is the same")
        }
        try text(input)
        if let request = HTTPRequest(parsing: input) {
            let again = HTTPRequest(parsing: request.encoded)
            try require(again == request, "a request written and read is the same")
            if let report = ExposureReport(request) { _ = report.keys.map(\.validity) }
        }
        if let fields = WebForm.fields(input) {
            let again = WebForm.fields(WebForm.text(fields).utf8)
            try require(again == fields, "a form written and read is the same")
        }
    }

    private static func text(_ input: [UInt8]) throws(FuzzFinding) {
        if let json = try? JSONReader.read(input) {
            let again = try? JSONReader.read(Array(json.text.utf8))
            try require(again == json, "JSON written and read is the same")
            if let list = BLEProximityPositives(json) {
                try require(list.json == json, "a list is written in one way")
            }
            if let keys = HeraldMatchingKeys(json) {
                try require(keys.json == json, "a list of keys is written in one way")
            }
            if let register = CovidTracerRegister(json) {
                try require(register.json == json, "a register is written in one way")
            }
            if let register = ExposureRegister(json) {
                try require(register.json == json, "a register is written in one way")
            }
            if let register = SonarRegister(json) {
                try require(register.json == json, "a register is written in one way")
            }
            _ = CovidTracerCases.cases(json)
        }
        guard let upload = try? SonarUpload(body: input) else { return }
        for dialect in [SonarUpload.Dialect.iOS, .android] {
            let again = try? SonarUpload(body: Array(upload.body(dialect).utf8))
            try require(
                again?.installation == upload.installation && again?.events == upload.events,
                "an upload in either dialect has the same contacts, but for those that cannot be read")
        }
    }
}
