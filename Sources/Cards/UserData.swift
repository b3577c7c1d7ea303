import Yams

/// cloud-init's `user-data`, with our step among its early commands (`bootcmd`). All other lines stay as they
/// are, comments included.
///
/// The later commands (`runcmd`) would not do: on Debian they come after `multi-user.target`. Raspberry Pi OS
/// does not reach that before somebody has answered its dialog for the first user, or has set one by
/// Raspberry Pi Imager. The early ones run before most services, so the step becomes a service of its own,
/// which starts when they do.
enum UserData {
    private static let key = "bootcmd"
    /// Once for each system, although early commands run at each boot.
    private static let command =
        ["cloud-init-per", "instance", "tabard", "systemd-run", "--no-block", "--unit=tabard-first-boot"]
        + FirstBootScript.command
    private static var item: String { "- [\(command.joined(separator: ", "))] \(FirstBootScript.mark)" }

    static func adding(to text: String) throws(CardError) -> String {
        var lines = BootText.lines(of: text)
        if lines.allSatisfy(\.isEmpty) { lines = ["#cloud-config"] }
        guard lines.first?.hasPrefix("#cloud-config") ?? false else {
            throw .userData(
                "is no #cloud-config; add the command \(FirstBootScript.command.joined(separator: " ")) to it"
            )
        }
        lines.removeAll { $0.hasSuffix(FirstBootScript.mark) }
        let before = try settings(of: lines)
        if let place = lines.firstIndex(where: { $0.hasPrefix("\(key):") }) {
            let next = lines[(place + 1)...].first { line in
                let words = line.drop { $0 == " " }
                return !words.isEmpty && !words.hasPrefix("#")
            }
            let indent = next.map { $0.prefix { $0 == " " } } ?? ""
            let isList = next?.drop { $0 == " " }.hasPrefix("-") ?? false
            lines.insert((isList ? String(indent) : "") + item, at: place + 1)
        } else {
            lines += ["\(key):", item]
        }
        // The text must mean what it meant before, and our command first.
        var wanted = before
        let others: [Node] = before[key]?.sequence.map(Array.init) ?? []
        wanted[key] = Node([Node(command.map { Node($0) })] + others)
        let isList = before[key].map { $0.sequence != nil || $0.null != nil } ?? true
        guard isList, let after = try? settings(of: lines), after == wanted else {
            throw .userData(
                "has its early commands (\(key)) in a form that cannot be extended; add this line to them: \(item)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func settings(of lines: [String]) throws(CardError) -> [String: Node] {
        let node: Node?
        do { node = try Yams.compose(yaml: lines.joined(separator: "\n")) } catch {
            throw .userData("is not YAML: \("\(error)".prefix { !$0.isNewline })")
        }
        guard let node, node.null == nil else { return [:] }
        guard let mapping = node.mapping else {
            throw .userData("has no settings, only a value or a list; correct it first")
        }
        return Dictionary(mapping.map { ($0.key.string ?? "", $0.value) }) { first, _ in first }
    }
}
