import CairnStorage
import CairnValues

/// A key that distinguishes rows.
enum RowKey {
  /// A property of the row itself.
  case column(Column)
  /// The end of a path through links, into a map or a mixed value, with the property that the path
  /// begins with.
  case path(PathReader, Column, name: String)

  /// A group column that numbers the values.
  var groupColumn: GroupColumn {
    switch self {
    case .column(let column): .make(column)
    case .path(let reader, let column, _): ReaderGroupColumn(reader, column: column)
    }
  }

  var name: String {
    switch self {
    case .column(let column): column.schema.name
    case .path(_, _, let name): name
    }
  }
}

/// Numbers the values at the end of a path. Equal numbers of different types are one value.
final class ReaderGroupColumn: ValueGroupColumn {
  private let reader: PathReader

  init(_ reader: PathReader, column: Column) {
    self.reader = reader
    super.init(column)
  }

  override func isMissing(_ key: Int) -> Bool {
    let linkSteps =
      reader.linkPath.endsAtObject
      ? reader.linkPath.linkSteps.dropLast() : reader.linkPath.linkSteps[...]
    var here: Int? = key
    for linkStep in linkSteps {
      guard let from = here else { return true }
      here = nil
      _ = linkStep.forEach(from) { found in
        here = found
        return false
      }
    }
    return here == nil
  }

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let first = RowAddress.firstKey(ofChunk: index)
    var position = 0
    rows.forEachRow { row -> Void in
      numbers[position] = UInt32(number(of: reader.value(first | row).plainNumber))
      position += 1
    }
  }

  override func prepare(_ chunks: [Int]) { reader.prepare(chunks) }
}

extension Value {
  /// The canonical value of equal numbers: an int if it is whole, a double if that is exact.
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

/// The set of combinations of values that have been seen.
final class DistinctSet {
  private let columns: [GroupColumn]
  private var pairs: [WordTable]
  private var seen: [Bool] = []
  private let oneRow = OneRow()
  private var number: UInt32 = 0

  init(_ keys: [RowKey]) {
    columns = keys.map(\.groupColumn)
    pairs = keys.dropFirst().map { _ in WordTable() }
  }

  /// Whether no earlier row had the same values; false if a link on the path to one of them is
  /// null.
  func isNew(_ key: Int) -> Bool {
    for column in columns where column.isMissing(key) { return false }
    var combined = 0
    for (position, column) in columns.enumerated() {
      let value = number(column, key: key)
      combined =
        position == 0
        ? value : pairs[position - 1].number(of: UInt64(combined) << 32 | UInt64(value))
    }
    while seen.count <= combined { seen.append(false) }
    defer { seen[combined] = true }
    return !seen[combined]
  }

  private func number(_ column: GroupColumn, key: Int) -> Int {
    oneRow.select(key) { row in
      withUnsafeMutablePointer(to: &number) {
        column.numbers(RowAddress(key).chunk, rows: row, numbers: $0)
      }
    }
    return Int(number)
  }
}
