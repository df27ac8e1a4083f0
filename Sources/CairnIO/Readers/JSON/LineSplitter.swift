/// Splits newline-delimited JSON, or an RFC 8142 text sequence, into blocks of whole records.
///
/// Neither a newline nor a record separator can occur inside a JSON string, so a damaged record
/// ends at the next separator.
final class LineSplitter: BlockSplitter {
  private let input: InputFile
  private let separator: UInt8
  private let longest: Int
  private let noun: RecordNoun
  private var offset: Int64
  private var recordCount = 0

  /// Creates a splitter for the text of a file.
  ///
  /// - Parameters:
  ///   - noun: The name of the records in messages.
  ///   - longest: The longest record in bytes.
  init(_ input: InputFile, offset: Int64, separator: UInt8, noun: RecordNoun, longest: Int) {
    self.input = input
    self.noun = noun
    self.longest = longest
    self.offset = offset
    self.separator = separator
  }

  func next(into block: InputBlock) throws(ImportError) -> Bool {
    guard offset < input.size else { return false }
    block.mayHoldGeometries = true
    while true {
      let count = try block.fill(from: input, at: offset)
      let isLast = offset + Int64(count) == input.size
      let last = ByteSearch.findLast(separator, bytes: block.bytes, range: 0..<count)
      if let end = isLast ? count : last.map({ $0 + 1 }), end > 0 {
        block.range = 0..<end
        block.firstRecord = recordCount
        split(block)
        recordCount += block.records.count
        offset += Int64(end)
        return true
      }
      if block.capacity >= longest {
        let line = input.line(of: offset)
        throw ImportError(
          .data,
          message:
            "\(input.name):\(line): \(noun.one) \(recordCount + 1) is longer than \(longest >> 20) MB"
        )
      }
      block.grow()
    }
  }

  /// Finds the records of the block. Records of only white space do not count.
  private func split(_ block: InputBlock) {
    block.records.removeAll(keepingCapacity: true)
    var start = block.range.lowerBound
    while start < block.range.upperBound {
      let end =
        ByteSearch.find(separator, bytes: block.bytes, range: start..<block.range.upperBound)
        ?? block.range.upperBound
      let scan = JSONScan(bytes: block.bytes, count: end)
      let first = scan.skipSpace(start)
      if first < end { block.records.append(first..<end) }
      start = end + 1
    }
  }
}
