/// Reads CSV slice by slice: finds the fields and drops the rows that cannot be stored. For use by
/// one thread.
final class CSVBlockReader {
  /// The size of a slice in bytes: small enough that text and separators remain in the processor's
  /// cache while the columns are read.
  private static let sliceSize = 1 << 15

  let layout: CSVLayout
  let mapping: CoordinateMapping
  let requirements: CSVRequirements
  let policy: RejectPolicy
  let index = CSVIndex()
  let converter: PointConverter
  var unquoter: CSVField
  /// The locations and geometries of the rows of the slice, by source.
  let spatial: [CSVSpatialColumn]
  /// Packs geometries.
  var intake: GeometryIntake
  private(set) var rejects = RecordLog()
  var pending: [RejectedRecord] = []
  /// Whether each row of the slice is left out.
  var isDropped: [Bool] = []
  /// Ends of fields, for slices in which some rows are left out.
  let kept = OffsetBuffer()
  private var block = InputBlock(capacity: 0)

  init(
    layout: CSVLayout, mapping: CoordinateMapping, requirements: CSVRequirements,
    policy: RejectPolicy, form: (SpatialSource) -> SpatialForm
  ) {
    self.layout = layout
    self.mapping = mapping
    self.requirements = requirements
    self.policy = policy
    converter = PointConverter(layout.geometries)
    intake = GeometryIntake(layout.geometries)
    spatial = layout.sources.map { CSVSpatialColumn($0, form: form($0.source)) }
    unquoter = CSVField(layout.reading, numbers: layout.numbers)
  }

  deinit { unquoter.deallocate() }

  /// Visits the rows of a block slice by slice.
  func read(
    _ block: InputBlock, visit: (CSVRows) throws(ParseAbort) -> Void
  ) throws(ParseAbort) {
    self.block = block
    rejects = RecordLog()
    for column in spatial { column.evidence = [] }
    var position = block.range.lowerBound
    while position < block.range.upperBound {
      let end = sliceEnd(block, start: position)
      index.build(block.bytes, range: position..<end, dialect: layout.dialect)
      var rows = completeRows(block.bytes, range: position..<end)
      checkText(rows, range: position..<end)
      for column in spatial { try readLocations(rows, into: column) }
      checkRequired(rows)
      checkTypes(rows)
      if !pending.isEmpty { try flushPending() }
      rows = keptRows(rows)
      for column in spatial where column.isPacked { packLocations(rows.count, column) }
      try visit(rows)
      position = end
    }
  }

  /// Returns the position of a byte of the block, for a message.
  func inputPosition(of offset: Int) -> InputPosition {
    InputPosition(block: block.number, file: block.file, offset: block.offset + Int64(offset))
  }

  /// Adds a record that cannot be stored to the pending rejects.
  func reject(at offset: Int, _ reason: RejectReason, detail: @autoclosure () -> ImportMessage) {
    let keepsDetail = policy == .fail || rejects.first.count < RecordLog.kept
    pending.append(
      RejectedRecord(
        position: inputPosition(of: offset), reason: reason, detail: keepsDetail ? detail() : ""))
  }

  /// Aborts the import, or adds the slice's rejected records to the log.
  private func flushPending() throws(ParseAbort) {
    let sorted = pending.sorted { $0.position < $1.position }
    pending.removeAll(keepingCapacity: true)
    if policy == .fail, let first = sorted.first { throw .rejected(first) }
    sorted.forEach { rejects.add($0) }
  }

  /// Returns the end of a slice that begins with a record: the end of its last whole record.
  private func sliceEnd(_ block: InputBlock, start: Int) -> Int {
    let quotes = CSVQuotes(bytes: block.bytes, dialect: layout.dialect)
    var size = Self.sliceSize
    while start + size < block.range.upperBound {
      if let end = quotes.records(in: start..<start + size).end { return end }
      size *= 2
    }
    return block.range.upperBound
  }
}

/// Requirements on the rows of a file, by column index.
struct CSVRequirements {
  /// The columns that must not be empty.
  var required: [Int] = []
  /// The types that the user has set. A row with a value of another type cannot be stored.
  var types: [(index: Int, type: FieldType)] = []

  init() {}

  init(_ layout: CSVLayout, required names: Set<String>, types wanted: [String: FieldType]) {
    let properties = layout.properties
    required = properties.filter { names.contains($0.name) }.map(\.index)
    types = properties.compactMap { property in
      wanted[property.name].map { (property.index, $0) }
    }.filter { $0.type != .text }
  }
}
