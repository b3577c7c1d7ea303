import Reports

/// A form whose fields are options of a command.
public struct DashboardForm: Sendable {
    public struct Field: Sendable {
        enum Kind: Sendable {
            case text(suggestions: [String])
            case choice([(value: String, title: String)])
            case check
        }

        let name: String
        let label: String
        let hint: String
        let kind: Kind

        /// - Parameters:
        ///   - hint: the forms that the field takes.
        ///   - suggestions: what a browser offers while somebody types.
        public static func text(
            _ name: String, _ label: String, hint: String = "", suggestions: [String] = []
        ) -> Field {
            Field(name: name, label: label, hint: hint, kind: .text(suggestions: suggestions))
        }

        public static func choice(
            _ name: String, _ label: String, _ choices: [(value: String, title: String)]
        ) -> Field {
            Field(name: name, label: label, hint: "", kind: .choice(choices))
        }

        public static func check(_ name: String, _ label: String) -> Field {
            Field(name: name, label: label, hint: "", kind: .check)
        }

        public static let since = text(
            "since", "Since", hint: "2026-11-21, 2026-11-21T09:30, or an age: 2h, 7d")
        public static let until = text("until", "Until", hint: "in the same forms")
    }

    /// Proves that a page of this dashboard sent the form.
    static let proofField = "proof"

    private static let mostSuggestions = 200

    let path: String
    let fields: [Field]
    let values: FieldList
    /// The page that each button asks for; nil for the form's own.
    let buttons: [(title: String, path: String?)]

    public init(
        _ path: String, _ fields: [Field], _ values: FieldList,
        buttons: [(title: String, path: String?)] = [("Show", nil)]
    ) {
        self.path = path
        self.fields = fields
        self.values = values
        self.buttons = buttons
    }

    public func html() -> String {
        """
        <form class="question" method="get" action="\(path)">
        <div class="fields">
        \(fields.filter { !$0.isCheck }.map(markup).joined(separator: "\n"))
        </div>
        \(checks)<p class="buttons">\(buttons.map(button).joined(separator: "\n"))</p>
        </form>

        """
    }

    /// A button that does something.
    public static func action(_ path: String, _ title: String, _ token: AccessToken) -> String {
        """
        <form class="action" method="post" action="\(path)"><input type="hidden" name="\(proofField)" \
        value="\(token.formProof)"><button type="submit">\(Markup.escaped(title))</button></form>

        """
    }

    private var checks: String {
        let checks = fields.filter(\.isCheck)
        guard !checks.isEmpty else { return "" }
        return "<p class=\"checks\">\(checks.map(markup).joined(separator: "\n"))</p>\n"
    }

    private func button(_ title: String, _ path: String?) -> String {
        let action = path.map { " formaction=\"\($0)\"" } ?? ""
        return "<button type=\"submit\"\(action)>\(Markup.escaped(title))</button>"
    }

    private func markup(_ field: Field) -> String {
        let value = values[field.name] ?? ""
        let label = "<label for=\"\(field.name)\">\(Markup.escaped(field.label))</label>"
        switch field.kind {
        case .text(let suggestions):
            let list = "\(field.name)-list"
            let hint = "\(field.name)-hint"
            return "<div>\(label)<input id=\"\(field.name)\" name=\"\(field.name)\" type=\"text\" "
                + "autocomplete=\"off\" spellcheck=\"false\" value=\"\(Markup.escaped(value))\""
                + (suggestions.isEmpty ? "" : " list=\"\(list)\"")
                + (field.hint.isEmpty ? ">" : " aria-describedby=\"\(hint)\">")
                + (field.hint.isEmpty ? "" : "<small id=\"\(hint)\">\(Markup.escaped(field.hint))</small>")
                + Self.list(list, suggestions) + "</div>"
        case .choice(let choices):
            let options = choices.map { choice in
                "<option value=\"\(Markup.escaped(choice.value))\"\(choice.value == value ? " selected" : "")>"
                    + "\(Markup.escaped(choice.title))</option>"
            }
            return "<div>\(label)<select id=\"\(field.name)\" name=\"\(field.name)\">\(options.joined())"
                + "</select></div>"
        case .check:
            return "<span><input id=\"\(field.name)\" name=\"\(field.name)\" type=\"checkbox\" value=\"yes\""
                + "\(value.isEmpty ? "" : " checked")> \(label)</span>"
        }
    }

    private static func list(_ identifier: String, _ suggestions: [String]) -> String {
        guard !suggestions.isEmpty else { return "" }
        let options = suggestions.prefix(mostSuggestions).map {
            "<option value=\"\(Markup.escaped($0))\"></option>"
        }
        return "<datalist id=\"\(identifier)\">\(options.joined())</datalist>"
    }
}

extension DashboardForm.Field {
    fileprivate var isCheck: Bool {
        if case .check = kind { true } else { false }
    }
}
