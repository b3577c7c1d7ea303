import CommandLineText
import Testing

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("/dev/ttyACM0", "/dev/ttyACM0"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"),
        ("$(rm)", "'$(rm)'"), ("a\nb", "'a\nb'"),
    ]) func `a word is quoted if a shell would read it otherwise`(_ word: String, _ quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
