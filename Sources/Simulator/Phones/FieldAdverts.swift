/// Adverts as devices in the field send them.
public enum FieldAdverts {
    /// An Android phone with a current Herald: flags, FCF6, transmit power.
    public static let android: [UInt8] = [2, 1, 2, 3, 3, 0xf6, 0xfc, 2, 0x0a, 0x0c]
    /// With the 128-bit service that came before.
    public static let legacy: [UInt8] =
        [2, 1, 2, 17, 7] + [
            0x9b, 0xfd, 0x5b, 0xd6, 0x72, 0x45, 0x1e, 0x80, 0xd3, 0x42, 0x46, 0x47, 0xaf, 0x32, 0x81, 0x42,
        ]
}
