internal import CairnStorage

/// Parses the blocks of one CSV file into columns. For use by one thread.
final class CSVBlockParser {
  /// How a column of the plan is filled.
  private enum Step {
    case field(index: Int, column: Int, FieldType)
    /// The locations or geometries of the source of that index.
    case spatial(index: Int, column: Int)
    case altitude(column: Int)
    /// The name of the file.
    case fileName(column: Int)
    /// The offset of the row in the file.
    case position(column: Int)
    /// A column without a name, which had no value when the plan was made.
    case blank(index: Int, name: String)
    /// A column that the file does not have.
    case nulls(column: Int)
  }

  private let reader: CSVBlockReader
  private let plan: ImportPlan
  private let steps: [Step]
  private let fileName: [UInt8]

  /// - Parameter file: The path of the file.
  init(layout: CSVLayout, mapping: CoordinateMapping, plan: ImportPlan, file: String) {
    self.plan = plan
    let properties = layout.properties
    let indexes = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.index) })
    let blanks = properties.filter {
      plan.selection.isKept($0.name) && plan.index(ofFileColumn: $0.name) == nil
    }
    steps =
      plan.columns.enumerated().map { column, planned in
        switch planned.content {
        case .location(let source, _), .geometry(let source, _):
          return layout.sources.firstIndex { $0.source == source }
            .map { .spatial(index: $0, column: column) } ?? .nulls(column: column)
        case .altitude: return .altitude(column: column)
        case .fileName: return .fileName(column: column)
        case .formula: return .nulls(column: column)
        case .position: return .position(column: column)
        case .field(let type):
          return plan.fileColumn(of: planned.name).flatMap { indexes[$0] }
            .map { .field(index: $0, column: column, type) } ?? .nulls(column: column)
        }
      } + blanks.map { .blank(index: $0.index, name: $0.name) }
    fileName = Array(file.split(separator: "/").last?.utf8 ?? file[...].utf8)
    let required = plan.columns.filter(\.isRequired).compactMap { plan.fileColumn(of: $0.name) }
    reader = CSVBlockReader(
      layout: layout, mapping: mapping,
      requirements: CSVRequirements(
        layout, required: Set(required), types: plan.selection.columns(of: plan.forcedTypes)),
      policy: plan.onError, form: plan.form
    )
  }

  /// Appends the rows of a block and returns the rejected ones.
  func parse(_ input: InputBlock, into output: ColumnBatch) throws(ParseAbort) -> RecordLog {
    try reader.read(input) { (rows) throws(ParseAbort) in
      for step in steps { try run(step, rows: rows, output: output) }
    }
    let hasAltitude = reader.spatial.contains {
      $0.source == .only && $0.evidence.contains(.altitude)
    }
    if hasAltitude, !plan.ignoresAltitude,
      !plan.columns.contains(where: { $0.content == .altitude })
    {
      throw .contradiction(column: "altitude")
    }
    var log = reader.rejects
    log.changes = reader.intake.takeChanges(and: reader.converter)
    return log
  }

  private func run(_ step: Step, rows: CSVRows, output: ColumnBatch) throws(ParseAbort) {
    switch step {
    case .nulls(let column):
      for _ in 0..<rows.count { output.columns[column].appendNull() }
    case .altitude(let column): appendAltitudes(rows.count, to: output.columns[column])
    case .fileName(let column):
      for _ in 0..<rows.count {
        fileName.withUnsafeBytes { output.columns[column].append(bytes: $0) }
      }
    case .position(let column):
      for row in 0..<rows.count {
        output.columns[column].append(
          int: reader.inputPosition(of: rows.start(row, column: 0)).offset)
      }
    case .blank(let index, let name):
      guard CSVColumns.areBlank(rows, column: index, unquoter: &reader.unquoter) else {
        throw .contradiction(column: name)
      }
    case .spatial(let index, let column):
      append(reader.spatial[index], count: rows.count, to: output.columns[column])
    case .field(let index, let column, let type):
      let builder = output.columns[column]
      let isGood =
        switch type {
        case .int where !reader.layout.numbers.isPlain:
          CSVColumns.appendNumbers(
            rows, column: index, unquoter: &reader.unquoter, builder: builder,
            parse: NumberSpelling.int
          ) { builder.append(int: $0) }
        case .int:
          CSVColumns.appendInts(rows, column: index, builder: builder, unquoter: &reader.unquoter)
        case .double where !reader.layout.numbers.isPlain:
          CSVColumns.appendNumbers(
            rows, column: index, unquoter: &reader.unquoter, builder: builder,
            parse: NumberSpelling.exactDouble
          ) { builder.append(double: $0) }
        case .double:
          CSVColumns.appendDoubles(
            rows, column: index, builder: builder, unquoter: &reader.unquoter)
        case .bool:
          CSVColumns.appendBools(rows, column: index, builder: builder, unquoter: &reader.unquoter)
        case .boolWord:
          CSVColumns.appendBools(
            rows, column: index, builder: builder, unquoter: &reader.unquoter,
            parse: BoolText.parseWord)
        case .epochSeconds:
          CSVColumns.appendEpochs(
            rows, column: index, builder: builder, unquoter: &reader.unquoter, decimals: 0)
        case .epochMilliseconds:
          CSVColumns.appendEpochs(
            rows, column: index, builder: builder, unquoter: &reader.unquoter, decimals: 3)
        case .date:
          CSVColumns.appendDates(rows, column: index, builder: builder, unquoter: &reader.unquoter)
        case .text:
          CSVColumns.appendTexts(rows, column: index, builder: builder, unquoter: &reader.unquoter)
        case .data, .float, .decimal, .objectId, .uuid:
          CSVColumns.appendParsed(
            rows, column: index, builder: builder, unquoter: &reader.unquoter, type: type)
        case .unknown:
          CSVColumns.appendNulls(rows, column: index, builder: builder, unquoter: &reader.unquoter)
        }
      if !isGood { throw .contradiction(column: plan.columns[column].name) }
    }
  }

  private func appendAltitudes(_ count: Int, to builder: ColumnBuilder) {
    let altitudes = reader.spatial.first { $0.source == .only }?.altitudes ?? []
    for row in 0..<count {
      if row < altitudes.count, !altitudes[row].isNaN {
        builder.append(double: altitudes[row])
      } else {
        builder.appendNull()
      }
    }
  }

  private func append(_ spatial: CSVSpatialColumn, count: Int, to builder: ColumnBuilder) {
    if spatial.isPacked {
      for row in 0..<count {
        spatial.withGeometry(row) { $0.map(builder.append(bytes:)) ?? builder.appendNull() }
      }
      return
    }
    let hasMissing = !spatial.isMissing.isEmpty
    spatial.longitudes.withUnsafeBufferPointer { longitudes in
      spatial.latitudes.withUnsafeBufferPointer { latitudes in
        for row in 0..<count {
          if hasMissing, spatial.isMissing(row) {
            builder.appendNull()
          } else {
            builder.append(longitude: longitudes[row], latitude: latitudes[row])
          }
        }
      }
    }
  }
}
