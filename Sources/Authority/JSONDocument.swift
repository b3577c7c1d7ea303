import TextFormats

/// What is kept in a file as JSON, in one way only.
public protocol JSONDocument {
    /// The one that has nothing in it.
    init()

    /// Nil for anything but what ``json`` gives.
    init?(_ json: JSONValue)

    var json: JSONValue { get }
}

/// A list that an authority publishes, sorted so that nothing shows whose entries belong together.
public protocol PublishedEntries: JSONDocument {
    associatedtype Entry

    var entries: [Entry] { get }

    /// Adds somebody's entries; those that are in it already, once.
    mutating func append(_ own: [Entry])
}
