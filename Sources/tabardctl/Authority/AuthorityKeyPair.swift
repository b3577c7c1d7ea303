import KeyFiles

/// An authority's pair of keys, which is made once.
enum AuthorityKeyPair {
    static func make(_ name: String, in directory: String) throws(Failure) {
        do throws(KeyFileError) {
            try KeyPair.requireAbsent([name], in: directory)
            let pair = KeyPair()
            try pair.write(name, in: directory)
            let fingerprint = pair.publicHalf.map(\.fingerprintText) ?? "-"
            Console.print(
                "\(name) key \(fingerprint): \(KeyPair.privatePath(name, in: directory)) (secret), "
                    + KeyPair.publicPath(name, in: directory))
        } catch {
            throw Failure(error)
        }
    }
}
