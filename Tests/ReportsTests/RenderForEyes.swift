import ArchiveTestSupport
import Foundation
import Testing

@testable import Reports

/// Writes the sample world's report to the file named by TABARD_SAMPLE_REPORT, for visual inspection.
@Test(.enabled(if: ProcessInfo.processInfo.environment["TABARD_SAMPLE_REPORT"] != nil))
func `the sample report is written to a file`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["TABARD_SAMPLE_REPORT"])
    try Data(HTMLReport(SampleWorld.model()).html().utf8).write(to: URL(filePath: path))
}
