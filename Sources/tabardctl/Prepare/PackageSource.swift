import Cards
import CommandLineText
import Foundation

/// Where the packages of the agent come from: the files of the command line, or those in the usual folders.
struct PackageSource {
    let given: [String]

    private static let folders = [".", "build/packages"]

    func package(for architecture: SystemArchitecture) throws(Failure) -> BoardPackage {
        var others: [String] = []
        let candidates =
            given.isEmpty
            ? Self.folders.flatMap { BoardPackage.candidates(in: $0, for: architecture) } : given
        for path in candidates {
            let package: BoardPackage
            let bytes = try Documents.bytes(path)
            do throws(CardError) { package = try BoardPackage(path: path, bytes: bytes) } catch {
                throw Failure(.data, "\(path): \(error.message)")
            }
            if package.architecture == architecture { return package }
            others.append(path)
        }
        let wanted = "tabard_VERSION_\(architecture.rawValue).deb"
        throw Failure(
            .noInput,
            others.isEmpty
                ? "no package of the agent here or in build/packages; give \(wanted) with --package, or make it "
                    + "with make deb"
                : "\(others[0]): the card has a system for \(architecture.rawValue); give \(wanted) with --package"
        )
    }
}
