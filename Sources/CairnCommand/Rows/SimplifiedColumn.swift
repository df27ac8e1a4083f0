import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The geometry of a class that rows are written with in a simplified form.
struct SimplifiedColumn {
  /// The index of the simplified form among the values given with each row, before that of the
  /// distance.
  static let index = -1
  /// The source of the simplified form.
  static let source = OutputColumn.Source.given(index)

  /// The name of the geometry.
  let name: String
  /// The position of the geometry in the class.
  let position: Int
  private let column: Column
  private let rule: Simplification

  /// - Parameter name: The name of the geometry; nil for the first one of the class.
  /// - Throws: A usage failure if the class has no such geometry.
  init(_ name: String?, of source: OpenedClass, by rule: Simplification) throws {
    let first = source.schema.properties.first(where: \.isGeometry)?.name
    let found = try source.location(named: name ?? first, option: "--geometry")
    guard found.isGeometry else {
      throw Failure(
        .usage,
        message: "'\(found.name)' has points; only lines and polygons can be simplified")
    }
    (self.name, position) = (found.name, found.position)
    column = source.table.column(found.position)
    self.rule = rule
  }

  /// Simplifies the geometries of rows together.
  func geometries(
    of execution: Execution, progress: any ProgressReporter
  ) throws -> SimplifiedGeometries {
    let keys = execution.keys()
    var topology = Topology()
    for (index, key) in keys.enumerated() {
      if index & 0xFFFF == 0xFFFF { progress.show(WorkProgress(phase: "reading", rows: index)) }
      topology.add(column.geometry(of: key) ?? .none)
    }
    try topology.simplify(by: rule) { share in
      let rows = Int(share * Double(keys.count))
      progress.show(WorkProgress(phase: "simplifying", rows: rows))
    }
    progress.clear()
    return SimplifiedGeometries(keys: keys, column: column, topology: topology)
  }
}

/// The simplified geometries of rows.
struct SimplifiedGeometries {
  fileprivate let keys: [Int]
  fileprivate let column: Column
  fileprivate let topology: Topology
  /// The number of rows before each, by the keys; nil if rows are written in the order in which they were read.
  private var indexes: [Int: Int]?

  fileprivate init(keys: [Int], column: Column, topology: Topology) {
    (self.keys, self.column, self.topology) = (keys, column, topology)
  }

  /// The same geometries, for rows that are written in any order.
  func inAnyOrder() -> SimplifiedGeometries {
    var geometries = self
    geometries.indexes = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    return geometries
  }

  /// The geometry of a row; null if it has none.
  ///
  /// - Parameter index: The number of rows that were written before it.
  func value(of key: Int, at index: Int) -> Value {
    let index = indexes?[key] ?? index
    assert(keys[index] == key, "rows are written in another order than they were read")
    return column.geometry(of: key).map { .geometry(topology.geometry(index, of: $0).bytes) }
      ?? .null
  }

  /// The number of vertices before and after.
  var summary: WorkSummary {
    let (all, kept) = (topology.vertexCount, topology.keptVertexCount)
    return WorkSummary(
      text:
        "\(Quantity.grouped(kept)) of \(Quantity.counted(all, noun: "vertex", many: "vertices"))"
        + " kept in \(Quantity.counted(keys.count, noun: "row"))",
      members: ["vertices": "\(all)", "keptVertices": "\(kept)"])
  }
}

extension Column {
  /// The geometry of a row, valid as long as the snapshot; nil for null.
  fileprivate func geometry(of key: Int) -> GeometryView? {
    let (chunk, row) = (chunk(RowAddress(key).chunk), RowAddress(key).row)
    return chunk.isNull(row) ? nil : chunk.geometry(at: row)
  }
}

extension GeometryView {
  /// A geometry without vertices.
  fileprivate static var none: GeometryView {
    GeometryView(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
