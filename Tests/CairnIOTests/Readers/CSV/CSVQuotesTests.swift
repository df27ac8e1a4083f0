import Testing

@testable import CairnIO

/// Where a block of a CSV file may end.
@Suite struct CSVQuotesTests {
  /// A bar marks the expected end of the last whole record.
  @Test(
    arguments: [
      ("a,1\n|\"x\ny", 4), ("a,1\n\"x\ny\",2\n|b", nil), ("a,\"x\ny\"\n|b,2", nil),
      ("\"x\n\ny\"\n|", nil), ("a\"b\n|c\"", nil), ("a,1\n|b,\"\"\"\n", 6),
      ("a,\"x\"\"\ny\"\n|b", nil), ("\"x\ny", 0),
    ] as [(String, Int?)])
  func lastRecord(text: String, unclosed: Int?) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    let end = parts.count == 2 ? parts[0].utf8.count : nil
    let bytes = Array(parts.joined().utf8)
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let found = CSVQuotes(bytes: base, dialect: CSVDialect()).records(in: 0..<bytes.count)
      #expect(found.end == end && found.unclosed == unclosed, "\(found)")
    }
  }
}
