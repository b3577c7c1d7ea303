import Authority
import Cards
import CommandLineText
import Configuration
import FixedMemory
import Foundation
import KeyFiles
import QRCodes
import Reports

/// One card: what its board is to be.
struct CardOrder {
    let settings: PlaceSettings

    /// The values of the configuration that options of `tabard setup` set.
    private static let options: [(key: ConfigurationKey, name: String)] = [
        (.location, "--venue-number"), (.country, "--country"), (.state, "--state"), (.name, "--name"),
        (.area, "--area"), (.url, "--url"),
    ]

    /// The options of `tabard setup` that make the same settings.
    var setupArguments: [String] {
        var arguments = ["--role", settings.role.rawValue]
        for (key, name) in Self.options {
            if let text = settings.text(of: key) { arguments += [name, text] }
        }
        if let name = settings.boardName {
            arguments += ["--set", ConfigurationText.assignment(of: .boardName, name)]
        }
        return arguments + settings.others.flatMap { ["--set", $0] }
    }

    func prepare(
        _ card: BootPartition, _ packages: PackageSource, keys: CardContents.Keys?, posters: String?
    ) throws(Failure) {
        let folder = card.folder
        let package = try packages.package(for: card.architecture)
        let contents = CardContents(package: package, settings: setupArguments, keys: keys)
        do throws(CardWriteError) { try contents.write(to: card) } catch {
            switch error {
            case .card(let error): throw Failure(.data, "\(folder): \(error.message)")
            case .file(let error): throw Failure(error)
            }
        }
        Console.print("\(folder): \(settings.summary), with tabard \(package.version)")
        if keys == nil {
            Console.print("  without keys: anyone who has the board can read its log and change it")
        }
        if let posters, settings.role == .beacon, settings.text(of: .location) != nil {
            Console.print("  poster \(try writePoster(to: posters))")
        }
        Console.print("  unmount the card, put it into the board, and power the board")
    }

    static func card(_ folder: String) throws(Failure) -> BootPartition {
        do throws(CardError) { return try BootPartition(folder: folder) } catch {
            throw Failure(.noInput, "\(folder): \(error.message)")
        }
    }

    /// - Returns: the path of the poster.
    private func writePoster(to folder: String) throws(Failure) -> String {
        let values = try settings.effective().values
        let payload = try PayloadSource.payload(values)
        let code: QRCode
        do throws(QRCodeError) {
            code = try QRCode(HeraldPayloadText.uri(of: payload))
        } catch {
            throw Failure(.data, "cannot make a QR code of this venue: \(error)")
        }
        do throws(DurableFileError) { try DurableFile.makeFolder(folder) } catch { throw Failure(error) }
        let herald = values.herald
        let name = "venue-\(herald.country)-\(herald.state)-\(herald.location ?? 0).svg"
        let path = URL(filePath: folder).appending(path: name).path
        let poster = QRPoster(code, caption: PayloadVenueCommand.caption(herald))
        try OutputFile.write(Data(poster.svg().utf8), to: path)
        return path
    }
}
