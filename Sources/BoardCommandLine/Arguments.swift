import FixedMemory

/// The command-line arguments, one after the other.
package struct Arguments {
    private let words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private var count: Int
    private var position = 1

    package init(count: Int, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        self.count = count
        self.words = words
    }

    /// Passes all words on, the program's name included, as a program gets them.
    package func withWords(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> Int32 {
        body(words)
    }

    /// Passes on the words that are left.
    package func withRest(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> Int32 {
        body(words + position)
    }

    package mutating func next() -> Argument? {
        guard position < count, let word = words[position] else { return nil }
        position += 1
        return Argument(word)
    }
}

extension Arguments {
    /// Removes a flag from the arguments, wherever it is; returns false if it is not there. `pairs` returns
    /// whether an option takes a value. The argument after such an option is its value, never a flag.
    package mutating func takeFlag(_ flag: StaticString, pairs isPair: (Argument) -> Bool) -> Bool {
        take(pairs: isPair) { $0 == flag } != nil
    }

    /// Removes an option with its value, and returns the value; nil if the option or its value is not there.
    /// The last of several counts.
    package mutating func takeOption(_ option: StaticString, pairs isPair: (Argument) -> Bool) -> Argument? {
        var (index, value) = (position, Argument?.none)
        while index + 1 < count, let pointer = words[index], let next = words[index + 1] {
            let word = Argument(pointer)
            if word == option {
                value = Argument(next)
                for place in index..<count - 2 { words[place] = words[place + 2] }
                count -= 2
            } else {
                index += isPair(word) ? 2 : 1
            }
        }
        return value
    }

    /// Removes an option with its value if it is the next argument. The other arguments stay, because they
    /// belong to another program.
    package mutating func takeLeadingOption(_ option: StaticString) -> Argument? {
        var rest = self
        guard let word = rest.next(), word == option, let value = rest.next() else { return nil }
        self = rest
        return value
    }

    /// Removes and returns the first argument that is neither an option nor an option's value. A lone "-" is
    /// an operand.
    package mutating func takeOperand(pairs isPair: (Argument) -> Bool) -> Argument? {
        take(pairs: isPair) { word in word.count < 2 || word.pointer[0] != CChar(UInt8(ascii: "-")) }
    }

    private mutating func take(
        pairs isPair: (Argument) -> Bool, where isWanted: (Argument) -> Bool
    ) -> Argument? {
        var index = position
        while index < count, let pointer = words[index] {
            let word = Argument(pointer)
            if isPair(word) {
                index += 2
                continue
            }
            if isWanted(word) {
                for place in index..<count - 1 { words[place] = words[place + 1] }
                count -= 1
                return word
            }
            index += 1
        }
        return nil
    }

    /// Whether an argument is left. Then an error names the command, the argument and the usage.
    @inline(never)
    package mutating func refusesRest(of command: StaticString, usage: StaticString) -> Bool {
        guard let word = next() else { return false }
        Output.error { line throws(CapacityError) in
            try line.append(command)
            try line.append(": ")
            try line.append(word.span)
            try line.append(": not an option with its value; write ")
            try line.append(usage)
        }
        return true
    }

    /// Whether the next argument asks for help; it is not removed.
    package var asksForHelp: Bool {
        var rest = self
        guard let word = rest.next() else { return false }
        return word == "--help" || word == "-h"
    }
}

/// One argument, in the memory where the system stores it; it stays valid as long as the process runs.
package struct Argument {
    package let pointer: UnsafePointer<CChar>
    package let count: Int

    init(_ pointer: UnsafeMutablePointer<CChar>) {
        var count = 0
        while pointer[count] != 0 { count += 1 }
        self.pointer = UnsafePointer(pointer)
        self.count = count
    }

    package var span: Span<UInt8> {
        @_lifetime(immortal) get {
            let bytes = UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
            return _overrideLifetime(Span(_unsafeStart: bytes, count: count), copying: ())
        }
    }

    @inline(never)
    package static func == (argument: Argument, text: StaticString) -> Bool {
        argument.span.isEqual(to: text)
    }
}
