import TextFormats

/// A JSON file with only one way to write each value.
public protocol JSONDocument {
    /// Creates an empty document.
    init()

    /// Nil for anything but the output of ``json``.
    init?(_ json: JSONValue)

    var json: JSONValue { get }
}

/// A list that an authority publishes, sorted so that the order does not reveal which entries belong to one
/// person.
public protocol PublishedEntries: JSONDocument {
    associatedtype Entry

    var entries: [Entry] { get }

    /// Adds a person's entries; an existing entry is not repeated.
    mutating func append(_ own: [Entry])
}
