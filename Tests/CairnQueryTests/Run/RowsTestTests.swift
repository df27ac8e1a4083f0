import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Rows whose columns offer numbers, locations and dictionaries in memory, or only values.
private final class MemoryColumns: ValueColumns {
  let rows: [[Value]]
  private let types: [ValueType]
  private let offersMemory: Bool
  private var numbers: [UnsafeMutablePointer<UInt64>] = []
  private var nulls: [UnsafeMutablePointer<UInt8>] = []
  private var texts: [Int: SharedTexts] = [:]

  init(_ rows: [[Value]], types: [ValueType], offersMemory: Bool) {
    (self.rows, self.types, self.offersMemory) = (rows, types, offersMemory)
    for column in types.indices {
      // Longitudes, then latitudes.
      let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * rows.count + 1)
      memory.initialize(repeating: 0, count: 2 * rows.count + 1)
      let marks = UnsafeMutablePointer<UInt8>.allocate(capacity: rows.count + 1)
      for (row, values) in rows.enumerated() {
        marks[row] = values[column].isNull ? 1 : 0
        switch values[column] {
        case .int(let number): memory[row] = UInt64(bitPattern: number)
        case .double(let number), .date(let number): memory[row] = number.bitPattern
        case .point(let place):
          memory[row] = place.longitude.bitPattern
          memory[rows.count + row] = place.latitude.bitPattern
        default: break
        }
      }
      numbers.append(memory)
      nulls.append(marks)
      if types[column] == .string { texts[column] = shared(column) }
    }
  }

  deinit {
    for memory in numbers { memory.deallocate() }
    for memory in nulls { memory.deallocate() }
  }

  /// The texts of a column by a dictionary, whose memory lives as long as the process.
  private func shared(_ column: Int) -> SharedTexts {
    var (known, bytes): ([[UInt8]: UInt32], [UnsafeRawBufferPointer]) = ([:], [])
    let shared = SharedTexts()
    shared.indexes = rows.map { values in
      guard case .string(let text) = values[column] else { return SharedTexts.null }
      if let index = known[Array(text.utf8)] { return index }
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
      copy.copyBytes(from: text.utf8)
      bytes.append(UnsafeRawBufferPointer(copy))
      known[Array(text.utf8)] = UInt32(bytes.count - 1)
      return UInt32(bytes.count - 1)
    }
    shared.replace(count: bytes.count) { [bytes] in bytes[$0] }
    return shared
  }

  var rowCount: Int { rows.count }

  func value(_ column: Int, row: Int) -> Value { rows[row][column] }

  func text(_ column: Int, row: Int) -> UnsafeRawBufferPointer? {
    guard let texts = texts[column], texts.indexes[row] != SharedTexts.null else { return nil }
    return texts.bytes(texts.indexes[row])
  }

  func numbers(_ column: Int) -> RawNumbers? {
    guard offersMemory, [.int, .double, .date].contains(types[column]) else { return nil }
    return RawNumbers(
      type: types[column], base: numbers[column],
      nulls: UnsafeRawBufferPointer(start: nulls[column], count: rows.count))
  }

  func positions(_ column: Int) -> RawPositions? {
    guard offersMemory, types[column] == .point else { return nil }
    return RawPositions(
      longitudes: numbers[column], latitudes: numbers[column] + rows.count,
      nulls: UnsafeRawBufferPointer(start: nulls[column], count: rows.count))
  }

  func sharedTexts(_ column: Int) -> SharedTexts? { offersMemory ? texts[column] : nil }
}

/// Conditions on rows in memory, compared with those on each row.
@Suite struct RowsTestTests {
  @Test(arguments: [1 as UInt64, 2, 3, 4]) func rowsMatchAsOneByOne(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    try RandomTable.create(in: temporary.store)
    try RandomTable.load(0..<300, into: temporary.store, &random)
    let snapshot = try temporary.store.snapshot()
    let naive = NaiveTable(try #require(snapshot.table(RandomTable.name)))
    let rows = naive.rows.map(\.values)
    let types = naive.schema.columns.map(\.type)
    var (tested, matched) = (0, 0)
    var predicates = RandomPredicate(table: naive, random: random)
    for _ in 0..<Soak.rounds(400) {
      let node = predicates.node()
      guard let test = try Predicate(node).bound(to: naive.schema).rowsTest else { continue }
      let matcher = NaiveMatcher(table: naive, node: node)
      let wanted = rows.map(matcher.matches)
      for offersMemory in [false, true] {
        // The results of a condition are kept with the texts.
        let columns = MemoryColumns(rows, types: types, offersMemory: offersMemory)
        #expect(test.matches(columns) == wanted, "\(node)")
      }
      tested += 1
      matched += wanted.count { $0 }
    }
    #expect(tested > 200 && matched > 1000, "\(tested) conditions, \(matched) rows")
  }

  /// Numbers next to the limits of their types, where a comparison is easily wrong by one.
  @Test(arguments: ["==", "!=", "<", "<=", ">", ">="]) func limitsAreExact(operator name: String)
    throws
  {
    let columns = [("i", ValueType.int), ("d", .double)].enumerated().map {
      ColumnSchema(
        id: UInt16($0.offset), name: $0.element.0, type: $0.element.1, isOptional: true,
        isIndexed: false, isPrimaryKey: false, position: $0.offset)
    }
    let schema = TableSchema(id: 0, name: "limits", columns: columns)
    let ints: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, .max - 1, .max]
    let doubles: [Double] = [
      -.infinity, -0x1p63, -1.5, -0.0, 0, .leastNonzeroMagnitude, 0x1p53, 0x1p63, .infinity, .nan,
    ]
    let rows =
      ints.flatMap { int in doubles.map { [Value.int(int), .double($0)] } } + [[.null, .null]]
    let constants: [Value] =
      ints.map { .int($0) } + doubles.map { .double($0) } + [.double(0.5), .null]
    let forms = [false, true].map {
      MemoryColumns(rows, types: [.int, .double], offersMemory: $0)
    }
    let comparison = try #require(ComparisonOperator(rawValue: name))
    for constant in constants {
      for column in ["i", "d"] {
        let node = PredicateNode.compare(
          .path(PropertyPath(column)), comparison, .value(constant), [])
        guard let test = try? Predicate(node).bound(to: schema).rowsTest else { continue }
        #expect(test.matches(forms[0]) == test.matches(forms[1]), "\(column) \(name) \(constant)")
      }
    }
  }

  @Test func aPartOfAConditionIsWeaker() throws {
    let columns = ["a", "b"].enumerated().map {
      ColumnSchema(
        id: UInt16($0.offset), name: $0.element, type: .int, isOptional: true, isIndexed: false,
        isPrimaryKey: false, position: $0.offset)
    }
    let schema = TableSchema(id: 0, name: "parts", columns: columns)
    func part(_ text: String) throws -> Set<Int>? {
      let test = try #require(try Predicate(parsing: text).bound(to: schema).rowsTest)
      return test.weakened { $0 == 0 }?.columns
    }
    #expect(try part("a > 1 AND b > 1") == [0])
    #expect(try part("a > 1 OR b > 1") == nil)
    #expect(try part("NOT (a > 1 AND b > 1)") == nil)
    #expect(try part("(a > 1 OR a < 0) AND (b > 1 OR a > 7)") == [0])
    #expect(try part("b > 1") == nil)
  }
}
