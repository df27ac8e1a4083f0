import CairnStorage
import CairnValues

/// What rows are told apart by.
enum RowKey {
  /// A property of the row itself.
  case column(Column)
  /// What a path through links, into a map or a mixed value leads to; with the property that it begins with.
  case path(PathReader, Column, name: String)

  /// A numbering of the values that come by.
  var groupColumn: GroupColumn {
    switch self {
    case .column(let column): .make(column)
    case .path(let reader, let column, _): ReaderGroupColumn(reader, column)
    }
  }

  var name: String {
    switch self {
    case .column(let column): column.schema.name
    case .path(_, _, let name): name
    }
  }
}

/// Values that a path leads to; numbers of different types are one where they are equal.
final class ReaderGroupColumn: GroupColumn, @unchecked Sendable {
  private let reader: PathReader
  private var table: [Value: Int] = [:]

  init(_ reader: PathReader, _ column: Column) {
    self.reader = reader
    super.init(column)
  }

  override func isMissing(_ key: Int) -> Bool {
    let hops = reader.route.endsAtObject ? reader.route.hops.dropLast() : reader.route.hops[...]
    var here: Int? = key
    for hop in hops {
      guard let from = here else { return true }
      here = nil
      _ = hop.forEach(from) { found in
        here = found
        return false
      }
    }
    return here == nil
  }

  override func numbers(
    _ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let first = index << ChunkShape.shift
    var place = 0
    rows.forEachRow { row -> Void in
      numbers[place] = UInt32(number(of: reader.value(first | row)))
      place += 1
    }
  }

  private func number(of value: Value) -> Int {
    if value.isNull { return 0 }
    let plain = value.plainNumber
    if let known = table[plain] { return known }
    let number = table.count + 1
    table[plain] = number
    return number
  }
}

extension Value {
  /// One value for numbers that are equal: an int where it is whole, a double where that is exact.
  fileprivate var plainNumber: Value {
    switch self {
    case .float(let number): Value.double(Double(number)).plainNumber
    case .double(let number):
      Int64(exactly: number).map(Value.int) ?? self
    case .decimal(let number):
      plain(number)
    default: self
    }
  }

  private func plain(_ number: Decimal128) -> Value {
    let near = Value.double(Double("\(number)") ?? .nan)
    return near.equals(self) ? near.plainNumber : self
  }
}
