import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// One class of a join by place: its rows, and the column that is compared.
///
/// The memory that it reads may be read by any thread after ``prepare()``.
final class JoinSide: JoinRows {
  /// The path to the location or geometry that is compared.
  let path: PropertyPath
  /// The points or geometries.
  let column: Column
  /// The boxes of the geometries; nil if the column holds points.
  let boxes: Column?
  /// The class of the column: that of the side, or one behind links.
  let endTable: Table
  /// The objects behind links that the rows lead to; nil if the column is one of the rows' own.
  private let targets: JoinTargets?
  /// The base runs of the R-tree.
  let runs: [JoinRun]

  var holdsPoints: Bool { boxes == nil }

  /// - Throws: `QueryError` if the path does not lead to one location or geometry of each row;
  ///   `PredicateError` if the condition does not fit the class.
  init(_ input: JoinQuery.Input, table: Table, isOuter: Bool = false) throws {
    guard let path = input.path else {
      throw QueryError(
        .invalidArgument,
        message: "a join by place compares a location or geometry of '\(table.schema.name)'")
    }
    self.path = path
    let linkPath = try PathBinder(table: table).linkPath(path, isLocation: true)
    (column, boxes) = try linkPath.joinColumns(path, of: table)
    endTable = linkPath.endTable
    let read = boxes ?? column
    let result = try Result(
      input, of: table, without: linkPath.linkSteps.first?.ownColumn ?? read, isOuter: isOuter)
    targets =
      linkPath.linkSteps.isEmpty
      ? nil
      : JoinTargets(linkPath.linkSteps, column: read, rows: result.rows, of: table, end: endTable)
    runs = targets == nil ? Self.runs(of: table, read) : []
    super.init(result)
  }

  private static func runs(of table: Table, _ column: Column) -> [JoinRun] {
    func runs<Entry: IndexedEntry>(_ type: Entry.Type) -> [JoinRun] {
      Entry.index(of: table, column.schema.position)?.baseRuns.map(JoinRun.init) ?? []
    }
    return runs(column.schema.entryType)
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare() {
    if hasLinks {
      column.prepareAll(of: endTable)
      boxes?.prepareAll(of: endTable)
      return
    }
    for chunk in 0..<table.chunkCount where rows.hasRows(chunk) {
      _ = column.chunk(chunk)
      if let boxes { _ = boxes.chunk(chunk) }
    }
  }

  /// The rows that no base run covers, in an order in which neighbours are near each other: that of
  /// the delta runs, then the others along the Hilbert curve.
  var uncoveredKeys: [Int] {
    let rest = rows.copy(without: runs.map(\.covered))
    let first = hasLinks ? [] : moveDeltaRuns(of: rest)
    let others = rest.keys
    let order = others.map { Hilbert.key(of: envelope(of: $0)) }
      .withUnsafeBufferPointer { RadixSort.order($0) }
    return first + order.map { others[Int($0)] }
  }

  /// Removes the rows of the delta runs from a bitmap, and returns them in their order.
  private func moveDeltaRuns(of rest: RowBitmap) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(rest.count)
    func move<Entry: IndexedEntry>(_ type: Entry.Type, position: Int) {
      for run in Entry.index(of: table, position)?.deltaRuns ?? [] {
        for entry in 0..<run.keys.count { rest.move(run.keys[entry], to: &keys) }
      }
    }
    let indexed = (boxes ?? column).schema
    move(indexed.entryType, position: indexed.position)
    return keys
  }

  /// Whether the locations or geometries lie behind links.
  var hasLinks: Bool { targets != nil }

  /// The object whose location or geometry a row is compared by.
  @inline(__always)
  func target(of key: Int) -> Int { targets.map { $0[key] } ?? key }

  /// The box around the location or geometry of a row.
  func envelope(of key: Int) -> Envelope {
    let address = RowAddress(target(of: key))
    guard let boxes else {
      let point = column.chunk(address.chunk).position(at: address.row)
      return Envelope(
        west: point.longitude, south: point.latitude, east: point.longitude, north: point.latitude)
    }
    return boxes.chunk(address.chunk).boxes[address.row]
  }

  override var name: String { "\(table.schema.name).\(path)" }
}

extension LinkPath {
  /// The column of points or geometries at the end, and that of the geometries' boxes.
  fileprivate func joinColumns(
    _ path: PropertyPath, of table: Table
  ) throws(QueryError) -> (column: Column, boxes: Column?) {
    let name = "'\(path)' of class '\(table.schema.name)'"
    guard !isMany else {
      throw QueryError(
        .unsupportedType,
        message: "\(name) leads to several values; a join compares one of each row")
    }
    guard case .column(let column) = end,
      let spatial = endTable.schema.spatialColumn(for: column.schema)
    else {
      throw QueryError(
        .typeMismatch, message: "\(name) is neither a location nor a geometry to join by")
    }
    return column.schema.isPoint
      ? (column, nil) : (column, endTable.column(spatial.position))
  }
}

/// A base run of a side's R-tree.
struct JoinRun {
  /// The rows, from a chunk boundary on; position p of the tree is row `rows.lowerBound + p`.
  let rows: Range<Int>
  let nodes: TreeNodes
  /// The rows that the run covers.
  let covered: RowBitmap

  init(_ run: SpatialIndex<some SpatialEntry>.BaseRun) {
    rows = run.rows
    nodes = run.tree.nodes
    covered = RowBitmap(of: rows, without: run.tombstones)
  }

  /// The chunks that contain rows of the run.
  var chunks: Range<Int> {
    RowAddress(rows.lowerBound).chunk..<ChunkShape.chunkCount(ofRows: rows.upperBound)
  }
}
