import Authority
import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Conformance

private let files = ["bleproximity.json", "covidtracer.json", "gaen.json", "sonar.json"]

private func vectors(_ name: String) throws -> JSONValue {
    try JSONReader.read([UInt8](Data(contentsOf: Vectors.url("schemes/\(name)"))))
}

private func results(_ file: JSONValue) -> [CaseResult] {
    var results: [CaseResult] = []
    Conformance.run(file) { result in
        results.append(result)
        return true
    }
    return results
}

/// Whether all cases pass. Cases that contain the changed value run first, because the first failure ends the
/// run.
private func holds(_ file: JSONValue, first path: String = "") -> Bool {
    do {
        let root = try VectorObject(file, path: "")
        guard !root.names.isEmpty else { return false }
        let section = root.names.first {
            path == ".\($0)" || path.hasPrefix(".\($0).") || path.hasPrefix(".\($0)[")
        }
        for name in [section].compactMap(\.self) + root.names.filter({ $0 != section }) {
            let cases = try Conformance.cases(of: name, in: root)
            let own = cases.filter { path.hasPrefix(".\($0.object.path)") }
            let others = cases.filter { !path.hasPrefix(".\($0.object.path)") }
            guard (own + others).allSatisfy({ $0.result().failure == nil }) else { return false }
        }
        return true
    } catch {
        return false
    }
}

@Suite struct ConformanceTests {
    @Test(arguments: zip(files, [4, 22, 158, 27]))
    func `all cases of our files pass`(_ name: String, _ caseCount: Int) throws {
        let results = results(try vectors(name))
        #expect(results.filter { $0.failure != nil }.isEmpty)
        #expect(results.count == caseCount)
    }

    /// Changes one bit in each of some bytes of a value, or its notation. (All bits of all bytes would take
    /// hours.)
    @Test(arguments: files)
    func `no value can be changed, except those for human readers`(_ name: String) throws {
        let file = try vectors(name)
        var generator = SeededGenerator(seed: 20_260_522)
        for leaf in VectorLeaf.all(of: file) where !leaf.isInformative {
            var changes = [leaf.rewritings.randomElement(using: &generator)].compactMap(\.self)
            for offset in Set([0, leaf.byteCount - 1, Int.random(in: 0...leaf.byteCount, using: &generator)])
            where offset >= 0 && offset < leaf.byteCount {
                changes += [leaf.changes(at: offset).randomElement(using: &generator)].compactMap(\.self)
            }
            for change in changes.shuffled(using: &generator).prefix(2) {
                #expect(
                    !holds(leaf.replacing(change), first: leaf.path), "\(name)\(leaf.path): \(change.text)")
            }
        }
    }

    @Test(arguments: files)
    func `no field and no case can be omitted, except those for human readers`(_ name: String) throws {
        let file = try vectors(name)
        var count = 0
        for removal in Removal.all(of: file) where !removal.isInformative {
            let isFound =
                PublishedVectors.gap(in: removal.file) != nil || !holds(removal.file, first: removal.path)
            #expect(isFound, "\(name)\(removal.path)")
            count += 1
        }
        #expect(count >= 10, "\(name)")
    }

    @Test(arguments: files)
    func `a published file without one of its sections fails, although all its cases pass`(
        _ name: String
    ) throws {
        let file = try vectors(name)
        #expect(PublishedVectors.gap(in: file) == nil)
        let sections = Removal.all(of: file).filter {
            !$0.isInformative && $0.path.count { $0 == "." } == 1 && !$0.path.contains("[")
        }
        #expect(sections.count == (try VectorObject(file, path: "").names.count))
        for section in sections {
            #expect(results(section.file).contains { $0.failure != nil }, "\(name)\(section.path)")
        }
    }

    @Test func `a file of other inputs may have fewer cases`() throws {
        for text in [
            #"{"ble_proximity":{"cases":[{"user_id_u64":"2","wire_8":"0200000000000000"}]}}"#,
            #"{"official_uuid_bytes":{"uuid":"9A48A849-A169-4D5C-AFD5-783E16085680","bytes_b64":"mkioSaFpTVyv1Xg+FghWgA=="}}"#,
        ] {
            #expect(
                results(try JSONReader.read(Array(text.utf8))).allSatisfy { $0.failure == nil }, "\(text)")
        }
    }

    /// Fields of which the cryptography alone would not detect a change.
    @Test func `times and hours within a tolerance cannot be changed either`() throws {
        let names = [
            ".reported_at", ".asked_at", ".contact.hour", ".contact.date", ".contact.key", ".allowed_skew_s",
            ".observed_at", ".key_generation_seconds", ".country_bytes", ".hourly_message_example",
        ]
        var count = 0
        for name in ["covidtracer.json", "sonar.json", "gaen.json"] {
            let file = try vectors(name)
            for leaf in VectorLeaf.all(of: file) where names.contains(where: leaf.path.hasSuffix) {
                // One of the chains' examples is enough.
                guard !leaf.path.hasPrefix(".chains") || leaf.path.hasPrefix(".chains[0].days[0]") else {
                    continue
                }
                for offset in 0..<leaf.byteCount {
                    for change in leaf.changes(at: offset).prefix(8) {
                        #expect(
                            !holds(leaf.replacing(change), first: leaf.path),
                            "\(name)\(leaf.path): \(change.text)")
                        count += 1
                    }
                }
            }
        }
        #expect(count > 400)
    }

    @Test func `a zero appended to a secret, which HMAC ignores, is an error`() throws {
        let file = try vectors("gaen.json")
        let leaf = try #require(VectorLeaf.all(of: file).first { $0.path == ".official_tek_hmac.secret" })
        let secret = try #require(leaf.value.string)
        #expect(!holds(leaf.replacing(.string(secret + "00"))))
    }

    @Test(arguments: files)
    func `fields for human readers may have any value`(_ name: String) throws {
        let file = try vectors(name)
        let leaves = VectorLeaf.all(of: file).filter(\.isInformative)
        #expect(!leaves.isEmpty)
        for leaf in leaves.prefix(4) {
            #expect(holds(leaf.replacing(.string("something else"))), "\(leaf.path)")
        }
    }

    @Test(arguments: files)
    func `an additional field is rejected at any place`(_ name: String) throws {
        let file = try vectors(name)
        for path in objectPaths(file).prefix(25) {
            let changed = try adding(JSONMember("surplus", .integer(1)), to: file, at: path[...])
            #expect(!holds(changed), "\(path)")
        }
    }

    @Test func `a file without vectors, without cases, or of another kind fails`() throws {
        for text in [
            "", "{", "[]", "1", "{}", #"{"scheme":"Sonar"}"#, #"{"scheme":"Sonar","surprises":[]}"#,
            #"{"ble_proximity":{"cases":[]}}"#, #"{"ble_proximity":{}}"#, #"{"chains":[]}"#,
            #"{"vectors":{}}"#,
            #"{"ble_proximity":{"cases":[{"user_id_u64":"0","user_id_u64":"0","wire_8":"0000000000000000"}]}}"#,
            #"{"ble_proximity":{"cases":[{"user_id_u64":"0"}]}}"#,
        ] {
            var results: [CaseResult] = []
            Conformance.run(Array(text.utf8)) { result in
                results.append(result)
                return true
            }
            #expect(results.contains { $0.failure != nil }, "\(text)")
        }
    }

    /// The paths of all objects: indices of members and of values from the top.
    private func objectPaths(_ value: JSONValue) -> [[Int]] {
        switch value {
        case .object(let members):
            [[]]
                + members.enumerated().filter { !VectorLeaf.informative.contains($1.name) }
                .flatMap { index, member in objectPaths(member.value).map { [index] + $0 } }
        case .array(let values):
            values.enumerated().prefix(2).flatMap { index, value in objectPaths(value).map { [index] + $0 } }
        default: []
        }
    }

    private func adding(_ member: JSONMember, to value: JSONValue, at path: ArraySlice<Int>) throws
        -> JSONValue
    {
        guard let index = path.first else {
            guard case .object(let members) = value else {
                throw NoObject()
            }
            return .object(members + [member])
        }
        switch value {
        case .object(var members):
            let changed = try adding(member, to: members[index].value, at: path.dropFirst())
            members[index] = JSONMember(members[index].name, changed)
            return .object(members)
        case .array(var values):
            values[index] = try adding(member, to: values[index], at: path.dropFirst())
            return .array(values)
        default: throw NoObject()
        }
    }
}

private struct NoObject: Error {}
