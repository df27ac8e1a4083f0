/// Cuts newline-delimited JSON, or an RFC 8142 text sequence, into sections of whole records.
///
/// Neither a newline nor a record separator can stand within a JSON string, so that a damaged
/// record is left at its end.
final class LineCutter: SectionCutter {
  static let newline: UInt8 = 0x0A
  static let recordSeparator: UInt8 = 0x1E

  private let input: InputFile
  private let separator: UInt8
  private let longest: Int
  private let noun: RecordNoun
  private var offset: Int64
  private var recordCount = 0

  /// - Parameters:
  ///   - noun: what the records are called.
  ///   - longest: bytes of a record.
  init(_ input: InputFile, offset: Int64, separator: UInt8, noun: RecordNoun, longest: Int) {
    self.input = input
    self.noun = noun
    self.longest = longest
    self.offset = offset
    self.separator = separator
  }

  func cut(into section: InputSection) throws(ImportError) -> Bool {
    guard offset < input.size else { return false }
    section.mayHoldGeometries = true
    while true {
      let count = try section.fill(from: input, at: offset)
      let isLast = offset + Int64(count) == input.size
      let last = CSVQuotes.findLast(separator, section.bytes, 0..<count)
      if let end = isLast ? count : last.map({ $0 + 1 }), end > 0 {
        section.range = 0..<end
        section.firstRecord = recordCount
        split(section)
        recordCount += section.records.count
        offset += Int64(end)
        return true
      }
      if section.capacity >= longest {
        let line = input.line(of: offset)
        throw ImportError(
          .data,
          "\(input.name):\(line): \(noun.one) \(recordCount + 1) here is longer than \(longest >> 20) MB"
        )
      }
      section.grow()
    }
  }

  /// The records of the section; those that are only white space are none.
  private func split(_ section: InputSection) {
    section.records.removeAll(keepingCapacity: true)
    var start = section.range.lowerBound
    while start < section.range.upperBound {
      let end =
        CSVQuotes.find(separator, section.bytes, start..<section.range.upperBound)
        ?? section.range.upperBound
      let scan = JSONScan(bytes: section.bytes, count: end)
      let first = scan.skipSpace(start)
      if first < end { section.records.append(first..<end) }
      start = end + 1
    }
  }
}
