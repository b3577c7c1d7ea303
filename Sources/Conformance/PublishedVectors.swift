import Authority
import TextFormats

/// The cases of the published vector files, so that none of them can be omitted. A case passes on its own, so
/// a missing case would otherwise go unnoticed.
///
/// A file counts as a published one if it has the inputs of a section: all of them, or all but one of
/// several. Files with other inputs may have any number of cases, but at least one in each section.
struct PublishedVectors {
    /// The paths and values of the inputs. One section is enough if other sections are checked against it.
    private let inputs: [(path: String, values: Set<String>)]
    /// The number of cases of each section; 1 if a section is a single case. `a.b`: in each `a`.
    private let caseCounts: [(path: String, count: Int)]

    /// The first section in which a published file lacks cases; nil for a complete file or any other file.
    static func gap(in file: JSONValue) -> VectorError? {
        for published in all where published.isMeant(by: file) {
            for (path, count) in published.caseCounts {
                let stated = places(path, in: file).map { $0.array?.count ?? 1 }.min() ?? 0
                guard stated >= count else {
                    return VectorError(
                        path: path, reason: "has \(stated) of the \(count) cases of the published file")
                }
            }
        }
        return nil
    }

    private func isMeant(by file: JSONValue) -> Bool {
        inputs.contains { path, values in
            let stated = values.intersection(Self.places(path, in: file).compactMap(\.string))
            return stated.count >= max(1, values.count - 1)
        }
    }

    /// The values at a path: names separated by points, through all elements of arrays on the way.
    private static func places(_ path: String, in file: JSONValue) -> [JSONValue] {
        path.split(separator: ".").enumerated().reduce([file]) { places, step in
            let values = step.offset == 0 ? places : places.flatMap { $0.array ?? [$0] }
            return values.compactMap { $0[String(step.element)] }
        }
    }

    private static let all = [
        PublishedVectors(
            inputs: [
                (
                    "ble_proximity.cases.user_id_u64",
                    ["0", "1", "81985529216486895", "18446744073709551615"]
                )
            ],
            caseCounts: [("ble_proximity.cases", 4)]),
        PublishedVectors(
            inputs: [
                (
                    "chains.tracer_key",
                    [
                        "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
                        "0000000000000000000000000000000000000000000000000000000000000000",
                        "3B71F3656BC0BE633E9E784B0826697A54E3B26E58AD3F09F56047AB4F43C624",
                    ]
                )
            ],
            caseCounts: [
                ("chains", 3), ("chains.days", 5), ("notify", 1), ("publication", 3), ("matching", 3),
            ]),
        PublishedVectors(
            inputs: [
                (
                    "own.tek",
                    [
                        "eeff4435038882a180041965690b8377", "9596eb3992d7443b35b4b5fca99bd264",
                        "2c5c0f87b1ba0a004786970b8f7b3ddb",
                    ]
                ),
                (
                    "own_export.signing_private_hex",
                    ["a8872c4960aef3ce7005181a94ea014017228d4b0a819931e6592094474f62b4"]
                ),
            ],
            caseCounts: [
                ("official", 1), ("metadata_cases", 5), ("own", 3), ("official_tek_hmac.cases", 3),
                ("official_export", 1), ("own_export", 1),
            ]),
        PublishedVectors(
            inputs: [
                (
                    "vectors.cases.device_private_hex",
                    [
                        "141bfe9130772b225b16003b8e603ffac90a8a6b94141d291837fc1251d16372",
                        "7c4992c65e1b99e96bb3817de1b15b7c4320b39711babe02afd4676e21d2c5ef",
                        "900f6d4a1afefaa71c1cda954559d9dfb78357fea9db053bde025a5da7dcd861",
                        "b0ff5ca95004e9172078438a73f31d5f97fe8d190e6f6c107a6c40a95cad7f67",
                    ]
                )
            ],
            caseCounts: [
                ("official_encrypter", 1), ("official_ios_payload_auth", 1),
                ("official_android_payload_auth", 1), ("official_request_signature", 1),
                ("official_spki_to_x963", 1), ("official_uuid_bytes", 1), ("vectors.cases", 4),
                ("negative_cryptograms", 7), ("negative_payloads", 5), ("replay_checks", 3), ("upload", 1),
            ]),
    ]
}
