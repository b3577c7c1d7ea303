/// A request that was admitted.
public struct DashboardRequest: Sendable {
    public let path: String
    /// The fields of the address, or of a form that was sent.
    public let fields: FieldList
    /// Whether it asks to do something.
    public let isAction: Bool
}
