import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The matching rows of a class, with one column that a command computes from all of them: a new one,
/// or another geometry for the one that it comes from.
struct ExtendedRows {
  /// The index of the computed values among those given with each row, before that of the distance.
  private static let index = -1

  /// The class, with the rows of a database.
  let source: OpenedClass
  /// The location or geometry that the column is computed from.
  let spatial: ColumnSchema
  /// The columns of the rows.
  let columns: [OutputColumn]
  private let request: QueryRequest
  private let choice: ColumnChoice

  /// - Parameters:
  ///   - select: The columns of `--select`; all of the class if it is empty.
  ///   - column: Returns the name and the type of the computed column, given the geometry.
  init(
    _ arguments: RowArguments, select: [String], mode: Store.Mode,
    adding column: (ColumnSchema) throws -> (name: String, type: ValueType)
  ) throws {
    let described = try OpenedClass(describing: arguments, mode: mode).measuring()
      .computing(namesOf: select)
    var needs = RowNeeds()
    needs.isAll = select.isEmpty || select.contains { $0.contains("*") }
    needs.needsLocation = true
    needs.texts = select
    request = try QueryRequest(described, arguments).fetched(needs)
    source = request.source
    spatial = try source.location(named: arguments.area.geometry, option: "--geometry")
    choice = try ColumnChoice(
      select, of: source, isNear: false, isByDistance: false, needsLocation: false)
    let added = try column(spatial)
    columns = Self.columns(
      choice.columns, replacing: spatial,
      by: OutputColumn(name: added.name, type: added.type, source: .given(Self.index)))
  }

  /// The columns with a further one, which replaces the geometry if it has its name, and is the last
  /// one otherwise.
  private static func columns(
    _ columns: [OutputColumn], replacing spatial: ColumnSchema, by added: OutputColumn
  ) -> [OutputColumn] {
    var columns = columns
    let place = columns.firstIndex {
      $0.source == .stored(spatial.position) && $0.name == added.name
    }
    if let place { columns[place] = added } else { columns.append(added) }
    return columns
  }

  /// Whether the rows have another column of a name than a computed one.
  func hasColumn(_ name: String) -> Bool { choice.columns.contains { $0.name == name } }

  /// The subject of a map.
  var subject: MapSubject { request.subject }

  /// The keys of the rows, in ascending order.
  func keys() throws -> [Int] {
    let keys = try request.execution().keys().sorted()
    try source.requireComputed()
    return keys
  }

  /// The stored column that an output column shows unchanged; nil for a computed one.
  func origin(_ column: OutputColumn) -> ColumnSchema? {
    guard case .stored(let position) = column.source else { return nil }
    let origin = source.schema.columns[position]
    return origin.isHidden ? nil : origin
  }

  /// Writes rows.
  ///
  /// - Parameter value: Returns the value of the computed column of a row, given its index among
  ///   `keys`; nil for a row that is left out.
  func write(
    _ keys: [Int], to writer: RowWriter, _ progress: any ProgressReporter,
    value: (Int) throws -> Value?
  ) throws {
    var computed = try ComputedValues(choice.computed, on: source.table, distance: nil)
    for start in stride(from: 0, to: keys.count, by: computed.batchSize) {
      let batch = Array(keys[start..<min(keys.count, start + computed.batchSize)])
      try computed.compute(batch)
      for (row, key) in batch.enumerated() {
        if writer.rowCount & 0xFFFF == 0xFFFF {
          progress.show(WorkProgress(phase: "writing", rows: writer.rowCount))
        }
        guard let added = try value(start + row) else { continue }
        try writer.write(key: key, of: source.table) { index in
          index == Self.index ? added : computed.value(index - 1, row: row)
        }
      }
    }
    progress.clear()
    try source.requireComputed()
  }
}

/// The rows of a command that computes one column of rows of a class.
protocol ExtendingRows: ComputedRows {
  var rows: ExtendedRows { get }
}

extension ExtendingRows {
  var source: OpenedClass { rows.source }
  var subject: MapSubject { rows.subject }
  var columns: [OutputColumn] { rows.columns }
  var hasKey: Bool { true }

  func origin(_ column: OutputColumn) -> ColumnSchema? { rows.origin(column) }
}
