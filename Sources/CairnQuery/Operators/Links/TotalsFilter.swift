import CairnStorage
import CairnSystem
import CairnValues

/// A condition on an aggregate of the numbers in a collection: `scores.@max > 9`.
final class TotalsFilter: Filter {
  private let column: Column
  private let function: AggregateFunction
  private let test: NumberTest
  private let makeDescription: () -> String

  /// Creates a filter.
  ///
  /// - Parameter column: A collection of ints, doubles or floats.
  init(
    _ column: Column, function: AggregateFunction, comparison: Comparison,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.function = function
    test = NumberTest(comparison)
    makeDescription = description
  }

  override var cost: Double { 25 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let isMap = column.schema.collection == .map
    switch column.schema.type {
    case .int:
      keep(&selection, chunk: chunk, width: 8, isMap: isMap, type: IntegerCollectionTotals.self) {
        $0.int($1)
      }
    case .float:
      keep(&selection, chunk: chunk, width: 4, isMap: isMap, type: DoubleCollectionTotals.self) {
        Double($0.float($1))
      }
    default:
      keep(&selection, chunk: chunk, width: 8, isMap: isMap, type: DoubleCollectionTotals.self) {
        $0.double($1)
      }
    }
  }

  @inline(__always)
  private func keep<Totals: NumberTotals>(
    _ selection: inout Selection, chunk: Chunk, width: Int, isMap: Bool,
    type: Totals.Type, number: (PackedElements, Int) -> Totals.Number
  ) {
    let (test, function) = (test, function)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = PackedElements(chunk.rowBytes(word << 6 | bit), width: width, isMap: isMap)
        var totals = Totals()
        for position in 0..<elements.count where !elements.isNull(position) {
          totals.add(number(elements, position))
        }
        return totals.passes(test, function: function)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A condition on an aggregate of a numeric property over a collection's objects:
/// `dogs.@sum.age > 20`.
final class LinkedTotalsFilter: Filter {
  private let column: Column
  private let live: LiveRows
  private let numbers: ColumnNumbers
  private let type: ValueType
  private let function: AggregateFunction
  private let test: NumberTest
  private let makeDescription: () -> String

  /// Creates a filter.
  ///
  /// - Parameter number: A property of the objects: an int, a double or a float.
  init(
    _ linkStep: ToManyStep, number: Column, function: AggregateFunction, comparison: Comparison,
    description: @autoclosure @escaping () -> String
  ) {
    column = linkStep.column
    live = linkStep.live
    numbers = ColumnNumbers(number, of: linkStep.target)
    type = number.schema.type
    self.function = function
    test = NumberTest(comparison)
    makeDescription = description
  }

  override var cost: Double { 60 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let numbers = numbers
    switch type {
    case .int:
      keep(&selection, chunk: chunk, type: IntegerCollectionTotals.self) { numbers.integer($0) }
    case .float:
      keep(&selection, chunk: chunk, type: DoubleCollectionTotals.self) { numbers.float($0) }
    default:
      keep(&selection, chunk: chunk, type: DoubleCollectionTotals.self) { numbers.double($0) }
    }
  }

  @inline(__always)
  private func keep<Totals: NumberTotals>(
    _ selection: inout Selection, chunk: Chunk, type: Totals.Type,
    number: (Int) -> Totals.Number?
  ) {
    let (test, function, live) = (test, function, live)
    let isMap = column.schema.collection == .map
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let links = chunk.links(word << 6 | bit, isMap: isMap)
        var totals = Totals()
        for position in 0..<links.count where !links.isNull(position) {
          let key = Int(links.int(position))
          if live.holds(key), let found = number(key) { totals.add(found) }
        }
        return totals.passes(test, function: function)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    live.prepare()
    numbers.prepare()
  }
}

/// The numbers of a column, for loops that read scattered rows. Each chunk is looked up once.
final class ColumnNumbers {
  private struct Part {
    // The memory is valid as long as the snapshot.
    let codes: UnsafeRawPointer
    let nulls: UnsafePointer<UInt64>?
    let frame: Int64
    let width: Int
    let rowCapacity: Int
    /// The divisor of scaled decimals; 0 for other chunks.
    let scale: Double

    init(_ chunk: Chunk) {
      codes = chunk.codes
      nulls = chunk.nulls
      frame = chunk.frame
      width = chunk.width
      rowCapacity = chunk.rowCapacity
      scale = chunk.scale
    }

    @inline(__always)
    func isNull(_ row: Int) -> Bool {
      assert(row >= 0 && row < ChunkShape.rows, "a row is outside of the chunk")
      guard let nulls else { return false }
      return nulls[row >> 6] &>> UInt64(row & 63) & 1 != 0
    }

    @inline(__always)
    func integer(_ row: Int) -> Int64 {
      assert(row >= 0 && row < rowCapacity, "a row is outside of the chunk")
      return switch width {
      case 0: frame
      case 1: frame &+ Int64(codes.load(fromByteOffset: row, as: UInt8.self))
      case 2: frame &+ Int64(codes.load(fromByteOffset: row &* 2, as: UInt16.self))
      case 4: frame &+ Int64(codes.load(fromByteOffset: row &* 4, as: UInt32.self))
      default: frame &+ codes.load(fromByteOffset: row &* 8, as: Int64.self)
      }
    }

    @inline(__always)
    func double(_ row: Int) -> Double {
      assert(row >= 0 && row < rowCapacity, "a row is outside of the chunk")
      return scale == 0
        ? codes.load(fromByteOffset: row &* 8, as: Double.self) : Double(integer(row)) / scale
    }
  }

  private let column: Column
  private let chunkCount: Int
  private let parts: UnsafeMutablePointer<Part?>

  init(_ column: Column, of table: Table) {
    self.column = column
    chunkCount = table.chunkCount
    parts = .allocate(capacity: max(1, chunkCount))
    parts.initialize(repeating: nil, count: chunkCount)
  }

  deinit { parts.deallocate() }

  /// The integer of a row of the table; nil for null.
  @inline(__always)
  func integer(_ key: Int) -> Int64? {
    let part = part(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return part.isNull(row) ? nil : part.integer(row)
  }

  /// The double of a row of the table; nil for null.
  @inline(__always)
  func double(_ key: Int) -> Double? {
    let part = part(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return part.isNull(row) ? nil : part.double(row)
  }

  /// The float of a row of the table; nil for null.
  @inline(__always)
  func float(_ key: Int) -> Double? {
    let part = part(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return part.isNull(row)
      ? nil : Double(part.codes.load(fromByteOffset: row &* 4, as: Float.self))
  }

  @inline(__always)
  private func part(_ index: Int) -> Part {
    assert(index >= 0 && index < chunkCount, "the chunk does not exist")
    return parts[index] ?? lookUp(index)
  }

  @inline(never)
  private func lookUp(_ index: Int) -> Part {
    assert(!SharedWork.isRunning, "chunks are resolved before threads share them")
    let part = Part(column.chunk(index))
    parts[index] = part
    return part
  }

  /// Looks up every chunk on the snapshot's own thread.
  func prepare() {
    for index in 0..<chunkCount { _ = part(index) }
  }
}
