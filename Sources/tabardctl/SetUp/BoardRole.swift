import ArgumentParser

/// The use of a board.
enum BoardRole: String, CaseIterable, ExpressibleByArgument {
    case beacon
    case wearable
}
