/// Reads one block of CSV after another: finds its fields, and leaves out the rows that cannot be
/// stored. Used by one thread.
final class CSVBlockReader {
  /// Small enough that text and separators stay in the processor's cache while the columns are
  /// read.
  private static let blockSize = 1 << 15

  let layout: CSVLayout
  let placement: Placement
  let demands: CSVDemands
  let policy: RefusalPolicy
  let index = CSVIndex()
  let shapes: ShapeReader
  var unquoter: CSVField
  /// Coordinates of the rows of the block.
  var longitudes: [Double] = []
  var latitudes: [Double] = []
  /// Third coordinates; empty where the layout has none, NaN where a row has none.
  var altitudes: [Double] = []
  /// The places of rows of the block that have more than one.
  var severalPlaces: [Int: [Location]] = [:]
  /// Some row of the section has a third coordinate.
  var hasAltitude = false
  private(set) var refusals = RefusalLog()
  var pending: [Refusal] = []
  /// Rows of the block that are left out.
  var isDropped: [Bool] = []
  /// Ends of fields, for blocks where some rows are left out.
  let kept = OffsetBuffer()
  private var section = InputSection(capacity: 0)

  init(
    layout: CSVLayout, placement: Placement, demands: CSVDemands, policy: RefusalPolicy
  ) {
    self.layout = layout
    self.placement = placement
    self.demands = demands
    self.policy = policy
    shapes = ShapeReader(layout.shapes)
    unquoter = CSVField(layout.reading)
  }

  deinit { unquoter.deallocate() }

  /// Visits the rows of a section block by block.
  func read(
    _ section: InputSection, _ visit: (CSVRows) throws(ParseStop) -> Void
  ) throws(ParseStop) {
    self.section = section
    refusals = RefusalLog()
    hasAltitude = false
    var position = section.range.lowerBound
    while position < section.range.upperBound {
      let end = blockEnd(section, position)
      index.build(section.bytes, position..<end, layout.dialect)
      var rows = shape(section.bytes, position..<end)
      checkText(rows, position..<end)
      try readLocations(rows)
      checkRequired(rows)
      checkTypes(rows)
      if !pending.isEmpty { try settle() }
      rows = settled(rows)
      try visit(rows)
      position = end
    }
  }

  /// The position of a byte of the section, for a message.
  func inputPlace(of offset: Int) -> InputPlace {
    InputPlace(section: section.number, file: section.file, offset: section.offset + Int64(offset))
  }

  /// Notes a record that cannot be stored.
  func refuse(at offset: Int, _ reason: String, _ detail: @autoclosure () -> String) {
    let isTold = policy == .fail || refusals.first.count < RefusalLog.kept
    pending.append(
      Refusal(place: inputPlace(of: offset), reason: reason, detail: isTold ? detail() : reason))
  }

  /// Ends the import, or takes the block's refusals over into the log.
  private func settle() throws(ParseStop) {
    let sorted = pending.sorted { $0.place < $1.place }
    pending.removeAll(keepingCapacity: true)
    if policy == .fail, let first = sorted.first { throw .refused(first) }
    sorted.forEach { refusals.add($0) }
  }

  /// Where a block that begins with a record ends: behind the last whole record.
  private func blockEnd(_ section: InputSection, _ start: Int) -> Int {
    let quotes = CSVQuotes(bytes: section.bytes, dialect: layout.dialect)
    var size = Self.blockSize
    while start + size < section.range.upperBound {
      if let end = quotes.records(in: start..<start + size).end { return end }
      size *= 2
    }
    return section.range.upperBound
  }
}

/// What the rows of a file must have, by the places of its columns.
struct CSVDemands {
  /// Fields that must not be empty.
  var required: [Int] = []
  /// The types that the user has set: a row whose value is of another cannot be stored.
  var types: [(place: Int, type: FieldType)] = []

  init() {}

  init(_ layout: CSVLayout, required names: Set<String>, types wanted: [String: FieldType]) {
    let properties = layout.properties
    required = properties.filter { names.contains($0.name) }.map(\.place)
    types = properties.compactMap { property in
      wanted[property.name].map { (property.place, $0) }
    }.filter { $0.type != .text }
  }
}
