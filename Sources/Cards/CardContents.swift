import Foundation
import KeyFiles

/// The files that a card gets, so that the first boot makes a beacon or a wearable of its board.
public struct CardContents: Sendable {
    /// The public halves of the keys of a board's owner and operator, in PEM.
    public struct Keys: Sendable {
        let owner: [UInt8]
        let operatorKey: [UInt8]

        public init(owner: [UInt8], operatorKey: [UInt8]) {
            self.owner = owner
            self.operatorKey = operatorKey
        }
    }

    /// The file on the card in which the first boot writes what it did.
    public static let logName = FirstBootScript.logName

    private let package: BoardPackage
    private let keys: Keys?
    private let setupArguments: [String]

    /// - Parameter settings: options of `tabard setup`, such as `--venue-number` and `1234`.
    public init(package: BoardPackage, settings: [String], keys: Keys?) {
        self.package = package
        self.keys = keys
        setupArguments =
            settings
            + (keys == nil ? [] : ["--opening", "opening.pub.pem", "--operator", "operator.pub.pem"])
    }

    /// Writes everything to the card. The files that make the first boot use it come last, so a card that is
    /// pulled out early stays as it was.
    public func write(to card: BootPartition) throws(CardWriteError) {
        // A form of user-data that cannot be extended is refused before anything changes.
        let userData = card.firstBoot == .cloudInit ? try userData(of: card) : nil
        do throws(DurableFileError) {
            try DurableFile.makeFolder(card.path(of: FirstBootScript.folder))
        } catch {
            throw .file(error)
        }
        try removeEarlier(from: card)
        try write(package.bytes, "\(FirstBootScript.folder)/\(package.name)", on: card)
        if let keys {
            try write(keys.owner, "\(FirstBootScript.folder)/opening.pub.pem", on: card)
            try write(keys.operatorKey, "\(FirstBootScript.folder)/operator.pub.pem", on: card)
        }
        let script = FirstBootScript(packageName: package.name, setupArguments: setupArguments)
        try write(script.text, FirstBootScript.name, on: card)
        try change("config.txt", on: card) { BootText.configuration($0 ?? "") }
        if let userData {
            try change("cmdline.txt", on: card) { BootText.commandLine($0 ?? "", runsScript: false) }
            try change("user-data", on: card) { _ in userData }
        } else {
            try change("firstrun.sh", on: card) { BootText.firstRunScript($0) }
            try change("cmdline.txt", on: card) { BootText.commandLine($0 ?? "", runsScript: true) }
        }
    }

    private func userData(of card: BootPartition) throws(CardWriteError) -> String {
        let text = try read("user-data", on: card) ?? ""
        do throws(CardError) { return try UserData.adding(to: text) } catch { throw .card(error) }
    }

    /// Removes an earlier package, and the log of an earlier first boot.
    private func removeEarlier(from card: BootPartition) throws(CardWriteError) {
        let folder = card.path(of: FirstBootScript.folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".deb") || name.hasSuffix(".log") || name.hasSuffix(".pem") {
            do { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") } catch {
                throw .file(.cannotWrite("\(folder)/\(name)", DurableFile.errorNumber(error)))
            }
        }
    }

    private func write(_ bytes: [UInt8], _ name: String, on card: BootPartition) throws(CardWriteError) {
        do throws(DurableFileError) {
            try DurableFile.replace(card.path(of: name), bytes, mode: DurableFile.publicMode)
        } catch {
            throw .file(error)
        }
    }

    private func write(_ text: String, _ name: String, on card: BootPartition) throws(CardWriteError) {
        try write(Array(text.utf8), name, on: card)
    }

    /// Replaces a text file by what `change` makes of it; of nil, if there is none.
    private func change(
        _ name: String, on card: BootPartition, _ change: (String?) -> String
    ) throws(CardWriteError) {
        let text = try read(name, on: card)
        let new = change(text)
        if new != text { try write(new, name, on: card) }
    }

    /// The text of a file; nil if there is none.
    private func read(_ name: String, on card: BootPartition) throws(CardWriteError) -> String? {
        guard card.hasFile(name) else { return nil }
        do throws(DurableFileError) {
            let bytes = try DurableFile.read(card.path(of: name), maximumByteCount: 1 << 20)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .file(error)
        }
    }
}
