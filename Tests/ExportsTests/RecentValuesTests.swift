import Testing

@testable import Exports

@Suite struct RecentValuesTests {
    @Test
    func `a key that was just used is not read again`() {
        var values = RecentValues<Int, Int>(limit: 4)
        var readCount = 0
        for key in [1, 2, 1, 2, 1] {
            let value = values.value(of: key) {
                readCount += 1
                return key * 10
            }
            #expect(value == key * 10)
        }
        #expect(readCount == 2)
    }

    @Test
    func `a key that is used again and again stays, however many others there are`() {
        var values = RecentValues<Int, Int>(limit: 4)
        var readCount = 0
        for other in 1...1000 {
            _ = values.value(of: 0) {
                readCount += 1
                return 0
            }
            _ = values.value(of: other) { other }
        }
        #expect(readCount == 1)
    }

    @Test
    func `a key is forgotten once enough others were used`() {
        var values = RecentValues<Int, Int>(limit: 4)
        for key in 0...8 { _ = values.value(of: key) { key } }
        #expect(values.value(of: 0) { -1 } == -1)
    }
}
