extension StaticString {
    /// The text as a C string, which is valid for ever.
    public var cString: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
