internal import CairnGeometry
internal import CairnStorage
import CairnSystem
internal import CairnValues

/// Reads the rows of a layer into the columns of a plan, column by column. For use by one thread.
final class LayerBlockParser {
  let layer: LayerColumns
  private let decoder: any LayerDecoder
  let plan: ImportPlan
  let mapping: CoordinateMapping
  let converter: PointConverter
  let form: SpatialForm
  var intake: GeometryIntake
  /// Whether each row of the block is left out.
  private(set) var isDropped: [Bool] = []
  private var pending: [RejectedRecord] = []
  private var block = InputBlock(capacity: 0)
  /// The rows of the block.
  private var rows = LayerBatch(firstRow: 0, rowCount: 0, columns: [])
  /// The rows of the columns, each once for every point that it becomes.
  var kept: [Int] = []
  /// The columns of the plan that the layer has.
  private let columns: [(source: Int, target: Int)]
  /// The values of a column whose type is not that of the property.
  private var converted: [Int: [UInt64?]] = [:]
  private let fileName: [UInt8]
  let location: Int?
  let altitude: Int?

  /// - Parameters:
  ///   - file: The path of the file.
  ///   - sieve: The sieve by which rows may be left out; nil if all are read.
  init(
    _ source: any LayerSource, mapping: CoordinateMapping, plan: ImportPlan, file: String,
    sieve: LayerSieve? = nil
  ) throws(ImportError) {
    layer = source.columns
    fileName = Array(file.split(separator: "/").last?.utf8 ?? file[...].utf8)
    self.plan = plan
    self.mapping = mapping
    converter = PointConverter(plan.geometries)
    form = plan.form(of: .only)
    intake = GeometryIntake(plan.geometries)
    columns = layer.properties.compactMap { index, name in
      plan.index(ofFileColumn: name).map { (index, $0) }
    }
    decoder = try source.makeDecoder(layer.needed(by: plan))
    if let sieve { decoder.leaveOut(by: sieve) }
    location = plan.index(of: .only)
    altitude = plan.columns.firstIndex { $0.content == .altitude }
  }

  /// Appends the rows of a block and returns the rejected ones.
  func parse(_ block: InputBlock, into output: ColumnBatch) throws(ParseAbort) -> RecordLog {
    let batch = try decoder.rows(of: block)
    self.block = block
    rows = batch
    pending.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    isDropped = Array(repeating: false, count: batch.rowCount)
    for (source, target) in columns { try check(batch, source: source, target: target) }
    try checkMissingColumns(batch)
    try readLocations(batch, into: output)
    var log = try takeRejects()
    log.changes = intake.takeChanges(and: converter)
    for (target, column) in plan.columns.enumerated() {
      if column.content == .fileName { appendFileName(to: output.columns[target]) }
      if column.content == .position {
        for row in kept { output.columns[target].append(int: position(of: row).offset) }
      }
      guard case .field(let type) = column.content else { continue }
      let source = columns.first { $0.target == target }?.source
      append(batch, from: source, type: type, target: target, to: output.columns[target])
    }
    return log
  }

  private func appendFileName(to builder: ColumnBuilder) {
    fileName.withUnsafeBytes { name in
      for _ in kept { builder.append(bytes: name) }
    }
  }

  private func position(of row: Int) -> InputPosition {
    block.position(ofRow: rows.distance(row))
  }

  /// Leaves a row out.
  func drop(_ row: Int, _ reason: RejectReason, detail: @autoclosure () -> ImportMessage) {
    isDropped[row] = true
    let position = position(of: row)
    let keepsDetail = plan.onError == .fail || pending.count < RecordLog.kept
    pending.append(
      RejectedRecord(position: position, reason: reason, detail: keepsDetail ? detail() : ""))
  }

  /// Returns the rejected records in order. Throws the first of them if the import fails then.
  private func takeRejects() throws(ParseAbort) -> RecordLog {
    guard !pending.isEmpty else { return RecordLog() }
    let sorted = pending.sorted { $0.position < $1.position }
    if plan.onError == .fail, let first = sorted.first { throw .rejected(first) }
    return sorted.reduce(into: RecordLog()) { $0.add($1) }
  }
}

// Checks of the values.
extension LayerBlockParser {
  private func check(_ batch: LayerBatch, source: Int, target: Int) throws(ParseAbort) {
    let column = batch.columns[source]
    let type = layer.schema.columns[source].type
    guard case .field(let wanted) = plan.columns[target].content else { return }
    if type == .text { checkText(column, batch, name: plan.columns[target].name) }
    if plan.columns[target].isRequired {
      let name = plan.columns[target].name
      for row in 0..<batch.rowCount where isNull(column, type, row) {
        drop(
          row, "`\(name)` is missing", detail: "`\(name)` is missing; every row must have a value")
      }
    }
    converted[source] = nil
    guard !wanted.isStored(as: type) else { return }
    converted[source] = try convert(column, type, as: wanted, target: target, rows: batch.rowCount)
  }

  /// Drops all rows if the layer lacks a property that every row must have.
  private func checkMissingColumns(_ batch: LayerBatch) throws(ParseAbort) {
    for (target, column) in plan.columns.enumerated() where column.isRequired && !column.isSpatial {
      guard !columns.contains(where: { $0.target == target }) else { continue }
      for row in 0..<batch.rowCount where !isDropped[row] {
        drop(
          row, "`\(column.name)` is missing",
          detail: "`\(column.name)` is missing; every row must have a value")
      }
    }
  }

  /// Drops rows whose text is not UTF-8.
  private func checkText(_ column: LayerBatch.Column, _ batch: LayerBatch, name: String) {
    guard let base = column.heap.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let isValid = UTF8Check.firstError(base, range: 0..<column.heap.count) == nil
    for row in 0..<batch.rowCount {
      let range = column.range(row)
      // A row may not begin within a character.
      let isCut = !range.isEmpty && base[range.lowerBound] & 0xC0 == 0x80
      guard isCut || !isValid && UTF8Check.firstError(base, range: range) != nil else { continue }
      drop(
        row, "text is not UTF-8",
        detail: "the column `\(name)` has text that is not UTF-8; \(TextEncoding.advice)")
    }
  }

  @inline(__always)
  private func isNull(_ column: LayerBatch.Column, _ type: LayerColumnType, _ row: Int) -> Bool {
    if column.isNull(row) { return true }
    guard type == .text, !plan.reading.nulls.isEmpty else { return false }
    return column.withText(row) { plan.reading.nulls.contains($0, count: $1) } ?? false
  }

  /// Converts the values of a column to the type of the property.
  private func convert(
    _ column: LayerBatch.Column, _ type: LayerColumnType, as wanted: FieldType, target: Int,
    rows: Int
  ) throws(ParseAbort) -> [UInt64?] {
    let name = plan.columns[target].name
    let isForced = plan.forcedTypes[name] != nil
    var values: [UInt64?] = []
    values.reserveCapacity(rows)
    for row in 0..<rows {
      guard !isNull(column, type, row), wanted != .text else {
        values.append(nil)
        continue
      }
      let bits = column.bits(row, type, as: wanted, reading: plan.reading)
      values.append(bits)
      guard bits == nil else { continue }
      guard isForced else { throw .contradiction(column: name) }
      let shown = column.text(row, type, zone: plan.reading.timeZone)
      drop(
        row, .valueType(property: name, wanted.valueType),
        detail: "`\(name)` is `\(shown.prefix(40))`, which is not a valid \(wanted.valueType)"
          + NullWords.advice(shown))
    }
    return values
  }
}

// Columns.
extension LayerBlockParser {
  private func append(
    _ batch: LayerBatch, from source: Int?, type: FieldType, target: Int,
    to builder: ColumnBuilder
  ) {
    guard let source else {
      for _ in kept { builder.appendNull() }
      return
    }
    let column = batch.columns[source]
    let own = layer.schema.columns[source].type
    if let values = converted[source] {
      return append(values, column, own, type: type, to: builder)
    }
    switch own {
    case .int: append(column, own, to: builder) { $0.append(int: column.int($1)) }
    case .double: append(column, own, to: builder) { $0.append(double: column.double($1)) }
    case .bool: append(column, own, to: builder) { $0.append(bool: column.bool($1)) }
    case .date:
      append(column, own, to: builder) { builder, row in
        builder.append(date: column.date(row, zone: plan.reading.timeZone))
      }
    case .text, .data: append(column, own, to: builder) { $0.append(bytes: column.bytes($1)) }
    case .geometry: break
    }
  }

  @inline(__always)
  private func append(
    _ column: LayerBatch.Column, _ type: LayerColumnType, to builder: ColumnBuilder,
    value: (ColumnBuilder, Int) -> Void
  ) {
    for row in kept {
      if isNull(column, type, row) { builder.appendNull() } else { value(builder, row) }
    }
  }

  /// Appends converted values; those that become text are converted here.
  private func append(
    _ values: [UInt64?], _ column: LayerBatch.Column, _ own: LayerColumnType, type: FieldType,
    to builder: ColumnBuilder
  ) {
    for row in kept {
      guard !isNull(column, own, row) else {
        builder.appendNull()
        continue
      }
      if type.isParsedText {
        let text = Array(column.text(row, own, zone: plan.reading.timeZone).utf8)
        _ = text.withUnsafeBufferPointer { ParsedText.append($0, as: type, to: builder) }
      } else if type.valueType == .string {
        let text = column.text(row, own, zone: plan.reading.timeZone)
        Array(text.utf8).withUnsafeBytes { builder.append(bytes: $0) }
      } else if let bits = values[row] {
        if type.valueType == .int || type.valueType == .bool {
          builder.append(int: Int64(bitPattern: bits))
        } else {
          builder.append(double: Double(bitPattern: bits))
        }
      } else {
        builder.appendNull()
      }
    }
  }
}

extension FieldType {
  /// Whether the values of a layer's column are stored as they are.
  func isStored(as type: LayerColumnType) -> Bool {
    switch (self, type) {
    case (.int, .int), (.double, .double), (.bool, .bool), (.boolWord, .bool), (.date, .date),
      (.text, .text), (.unknown, .text), (.data, .data):
      true
    default: false
    }
  }
}

extension LayerBatch.Column {
  /// Returns the seconds since 2001-01-01T00:00:00Z.
  ///
  /// - Parameter zone: The zone of a time that does not name one.
  @inline(__always)
  fileprivate func date(_ row: Int, zone: TimeZoneRules) -> Double {
    let seconds = double(row)
    guard isLocal(row), let local = Int(exactly: seconds.rounded(.down)) else { return seconds }
    return seconds - Double(zone.offset(atLocal: local))
  }

  /// Returns the bits of a value as another type; nil if the value is not of that type.
  fileprivate func bits(
    _ row: Int, _ own: LayerColumnType, as type: FieldType, reading: FieldReading
  ) -> UInt64? {
    switch (own, type) {
    case (.int, .double):
      return IntegerText.isExact(int(row)) ? Double(int(row)).bitPattern : nil
    case (.double, .int): return Int64(exactly: double(row)).map { UInt64(bitPattern: $0) }
    case (.text, _): return withText(row) { Self.bits($0, $1, as: type, reading: reading) }
    default:
      // Parsers read beyond the end of a text.
      let text = Array(text(row, own, zone: reading.timeZone).utf8)
      let padded = text + Array(repeating: 0, count: InputBlock.padding)
      return padded.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.flatMap { Self.bits($0, text.count, as: type, reading: reading) }
      }
    }
  }

  private static func bits(
    _ text: UnsafePointer<UInt8>, _ count: Int, as type: FieldType, reading: FieldReading
  ) -> UInt64? {
    switch type {
    case .int: NumberSpelling.int(text, count: count).map { UInt64(bitPattern: $0) }
    case .double: NumberSpelling.exactDouble(text, count: count)?.bitPattern
    case .bool: BoolText.parse(text, count: count).map { $0 ? 1 : 0 }
    case .boolWord: BoolText.parseWord(text, count: count).map { $0 ? 1 : 0 }
    case .date: DateText.parse(text, count: count, reading: reading)?.bitPattern
    case .epochSeconds: EpochText.parse(text, count: count, decimals: 0)?.bitPattern
    case .epochMilliseconds: EpochText.parse(text, count: count, decimals: 3)?.bitPattern
    case .float, .decimal, .objectId, .uuid:
      // The text is parsed again when the row is stored.
      ParsedText.isValid(UnsafeBufferPointer(start: text, count: count), as: type) ? 0 : nil
    case .text, .unknown, .data: nil
    }
  }

  /// Returns a value as text.
  fileprivate func text(
    _ row: Int, _ own: LayerColumnType, zone: TimeZoneRules
  ) -> String {
    switch own {
    case .int: "\(int(row))"
    case .double: "\(double(row))"
    case .bool: bool(row) ? "true" : "false"
    case .date: ISODate.format(date(row, zone: zone))
    case .text: String(decoding: bytes(row), as: UTF8.self)
    case .data, .geometry: Base64.encode(Array(bytes(row)))
    }
  }
}
