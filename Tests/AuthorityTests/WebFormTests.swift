import Schemes
import Testing

@testable import Authority

@Suite struct WebFormTests {
    @Test func `A form's fields keep every character`() throws {
        let fields = [
            CovidTracerFormField("comment", "50 % + ä=&\n~"), CovidTracerFormField("empty", ""),
        ]
        let form = WebForm.text(fields)
        #expect(form == "comment=50+%25+%2B+%C3%A4%3D%26%0A%7E&empty=")
        #expect(WebForm.fields(form.utf8) == fields)
        for wrong in ["", "a", "a=%", "a=%4", "a=%4g", "a=%ff", "a=1&"] {
            #expect(WebForm.fields(wrong.utf8) == nil, "\(wrong)")
        }
    }
}
