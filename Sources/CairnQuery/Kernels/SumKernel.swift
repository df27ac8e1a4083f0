import CairnStorage

/// What one chunk's selected codes come to.
struct CodeSummary {
  var count = 0
  var sum = WideInteger()
  var minimum = UInt64.max
  var maximum = UInt64.min
}

extension Chunk {
  /// Adds up the codes of the selected rows, none of which is null, and finds the least and greatest.
  /// Chunks of 8-byte codes count them as signed: their frame is added by the caller.
  func summariseCodes(_ rows: Selection) -> CodeSummary {
    switch width {
    case 0: CodeSummary(count: rows.count, minimum: 0, maximum: 0)
    case 1: summarise(codes.assumingMemoryBound(to: UInt8.self), rows)
    case 2: summarise(codes.assumingMemoryBound(to: UInt16.self), rows)
    default: summarise(codes.assumingMemoryBound(to: UInt32.self), rows)
    }
  }

  @inline(__always)
  private func summarise<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafePointer<Code>, _ rows: Selection
  ) -> CodeSummary {
    var count = 0
    var sum: UInt64 = 0
    var least = Code.max
    var greatest = Code.min
    for word in rows.lower..<max(rows.lower, rows.upper) {
      var bits = rows.words[word]
      if bits == 0 { continue }
      let values = codes + word << 6
      if bits == ~0 {
        for row in 0..<64 {
          let code = values[row]
          sum &+= UInt64(code)
          least = min(least, code)
          greatest = max(greatest, code)
        }
        count += 64
        continue
      }
      count += bits.nonzeroBitCount
      while bits != 0 {
        let code = values[bits.trailingZeroBitCount]
        sum &+= UInt64(code)
        least = min(least, code)
        greatest = max(greatest, code)
        bits &= bits &- 1
      }
    }
    // 4096 codes of at most 32 bits cannot overflow 64.
    var wide = WideInteger()
    wide += sum
    return CodeSummary(count: count, sum: wide, minimum: UInt64(least), maximum: UInt64(greatest))
  }
}
