/// Rows of a block whose fields are all there: field `column` of row `row` ends at `ends[row ·
/// stride + column]` and begins behind the entry before.
struct CSVRows {
  let bytes: UnsafePointer<UInt8>
  let ends: UnsafePointer<UInt32>
  let stride: Int
  let count: Int
  let columns: Int
  /// Some lines may end in CR LF.
  let hasReturns: Bool
  let hasQuotes: Bool

  @inline(__always)
  func start(_ row: Int, _ column: Int) -> Int {
    Int(ends[row &* stride &+ column &- 1] &+ 1)
  }

  @inline(__always)
  func field(_ row: Int, _ column: Int, isLast: Bool) -> (start: Int, count: Int) {
    let start = start(row, column)
    var end = Int(ends[row &* stride &+ column])
    if isLast, hasReturns, end > start, bytes[end &- 1] == CSVQuotes.carriageReturn { end &-= 1 }
    return (start, end &- start)
  }

  func field(_ row: Int, _ column: Int) -> (start: Int, count: Int) {
    field(row, column, isLast: column == columns - 1)
  }
}
