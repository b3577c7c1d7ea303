import Analysis
import CommandLineText
import Foundation
import KeyFiles

/// The folders with the logs of a formal test.
struct FormalTestFolders {
    private let devices: [String]

    /// Accepts folders of devices, and folders that contain such folders.
    init(_ folders: [String]) throws(Failure) {
        var devices: [String] = []
        for folder in folders {
            let found = try Self.devices(in: folder)
            guard !found.isEmpty else {
                throw Failure(.noInput, "\(folder): no contacts.csv in it or in its folders; check the name")
            }
            devices += found.filter { !devices.contains($0) }
        }
        guard devices.count > 1 else {
            throw Failure(
                .noInput,
                "\(devices.first ?? ""): only one device; a test needs the logs of at least two devices")
        }
        self.devices = devices
    }

    func participants() throws(Failure) -> [FormalParticipant] {
        var participants: [FormalParticipant] = []
        for folder in devices {
            let device = try device(folder)
            if device.shortName.isEmpty {
                Console.report(
                    "\(folder)/detection.csv: no own name in field 4; no other device can match it"
                )
            }
            participants.append(FormalParticipant(device: device, observations: try observations(folder)))
        }
        for (index, participant) in participants.enumerated() where !participant.device.shortName.isEmpty {
            let name = participant.device.shortName
            if let other = participants[..<index].first(where: { $0.device.shortName == name }) {
                Console.report(
                    "\(other.device.name) and \(participant.device.name) have the same name, \(name): "
                        + "each counts as both"
                )
            }
        }
        return participants
    }

    private static func devices(in folder: String) throws(Failure) -> [String] {
        let files = FileManager.default
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw Failure(
                .noInput,
                "\(folder): \(files.fileExists(atPath: folder) ? "not a folder" : "no such folder"); "
                    + "give the folder of a phone, or one with such folders")
        }
        if files.fileExists(atPath: folder + "/contacts.csv") { return [folder] }
        let names: [String]
        do { names = try files.contentsOfDirectory(atPath: folder) } catch {
            throw Failure(unreadable: folder)
        }
        let folders = names.sorted().map { folder + "/" + $0 }.filter { path in
            files.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        // A device whose folder cannot be read must not be missing from the results without a word.
        if let path = folders.first(where: { access($0, R_OK | X_OK) != 0 }) {
            throw Failure(unreadable: path)
        }
        return folders.filter { files.fileExists(atPath: $0 + "/contacts.csv") }
    }

    private func device(_ folder: String) throws(Failure) -> FormalDevice {
        let path = folder + "/detection.csv"
        if let file = FileStatus(path), !file.isPlain { throw Failure(DurableFileError.notPlain(path)) }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw access(path, F_OK) == 0
                ? Failure(unreadable: path)
                : Failure(
                    .noInput, "\(path): no such file; it has the name of the phone, so export it as well")
        }
        let name = URL(filePath: folder).lastPathComponent
        guard let device = FormalDevice(name: name, detectionLog: [UInt8](data)) else {
            throw Failure(
                .data, "\(path): the first line is not model,system,version,name; export the log again")
        }
        return device
    }

    private func observations(_ folder: String) throws(Failure) -> FormalObservations {
        let path = folder + "/contacts.csv"
        var observations = FormalObservations()
        var reader = ContactsReader()
        let progress = ProgressLine(name: path)
        defer { progress.finish() }
        guard access(path, R_OK) == 0 else { throw Failure(unreadable: path) }
        guard FileStatus(path)?.isPlain == true else { throw Failure(DurableFileError.notPlain(path)) }
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            let byteCount = Int(try file.seekToEnd())
            try file.seek(toOffset: 0)
            var readByteCount = 0
            while let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty {
                try reader.read([UInt8](piece)) { observations.append($0) }
                readByteCount += piece.count
                progress.update(done: min(readByteCount, byteCount), of: byteCount)
            }
            try reader.finish { observations.append($0) }
        } catch let error as ContactsError {
            throw Failure(error, path)
        } catch {
            throw Failure(.inputOutput, "\(path): \(error.localizedDescription)")
        }
        if reader.rowCount == 0, reader.malformedLineCount > 0 {
            throw Failure(
                .data,
                "\(path): no line has an event at a time such as 2020-12-08 23:20:00; if a spreadsheet has changed "
                    + "the times, export the log again")
        }
        if let line = reader.firstMalformedLine {
            progress.finish()
            Console.report(
                "\(path): \(reader.malformedLineCount) lines are not rows and were skipped, the first is "
                    + "line \(line)"
            )
        }
        return observations
    }
}

extension Failure {
    fileprivate init(unreadable path: String) {
        self.init(.noPermission, "\(path): you may not read it; run chmod u+rX, or ask its owner")
    }

    fileprivate init(_ error: ContactsError, _ path: String) {
        switch error {
        case .empty: self.init(.data, "\(path): empty; export the log again")
        case .utf16: self.init(.data, "\(path): encoded as UTF-16; save it as CSV in UTF-8")
        case .notContacts(let column):
            self.init(
                .data, "\(path): the header has no column \(column); check that it is Herald's contacts.csv")
        }
    }
}
