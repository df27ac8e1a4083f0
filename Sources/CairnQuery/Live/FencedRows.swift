import CairnGeometry
import CairnStorage
import CairnValues

/// The rows of one state that may be within fences: those of a query with a location or geometry.
struct FencedRows {
  let table: Table
  /// The ids of the columns whose changes can move a row into a fence or out of it.
  private let reads: DependencySet
  private let query: TableQuery
  private let execution: Execution
  /// The property with the locations or geometries.
  private let property: ColumnSchema
  /// The column of the points, or of the geometries' boxes.
  private let spatial: ColumnSchema

  /// - Throws: An error in the query, or `QueryError` if the class has no location.
  init(_ query: TableQuery, of table: Table, deadline: QueryDeadline? = nil) throws {
    self.table = table
    self.query = query
    execution = try Execution(query, on: table, deadline: deadline)
    let schema = table.schema
    guard let property = schema.spatialColumn,
      let spatial = schema.spatialColumn(for: property)
    else {
      throw QueryError(
        .unsupportedType, message: "'\(schema.name)' has no location or geometry for fences")
    }
    (self.property, self.spatial) = (property, spatial)
    var reads = DependencySet(execution.condition.root, of: table)
    reads.columns.formUnion([property.id, spatial.id])
    self.reads = reads
  }

  /// The rows of a change that may have moved.
  func moved(_ changes: TableChanges) -> KeyRangeSet {
    let schema = table.schema
    return changes.inserted.union(changes.deleted)
      .union(changes.modified { reads.reads($0, of: schema) })
  }

  /// The place of a row; nil if the row does not exist, does not meet the condition, or has no
  /// location.
  func place(of key: Int) -> FencedPlace? {
    guard execution.matches(key) else { return nil }
    let (index, row) = (RowAddress(key).chunk, RowAddress(key).row)
    let chunk = table.column(spatial.position).chunk(index)
    guard property.isGeometry else {
      guard !chunk.isNull(row) else { return nil }
      let position = chunk.position(at: row)
      return .point(longitude: position.longitude, latitude: position.latitude)
    }
    guard !chunk.isRowNull(row) else { return nil }
    let view = table.column(property.position).chunk(index).geometry(at: row)
    return view.vertexCount == 0 ? nil : .geometry(view, box: chunk.rowBox(row))
  }

  /// The rows that meet a fence, in ascending order.
  func keys(meeting fence: Geometry) throws -> [Int] {
    let condition = PredicateNode.relation(
      PropertyPath(property.name), .intersects, .shape(.geometry(fence, edges: .planar)))
    return try Execution(
      TableQuery(
        table: query.table, predicate: Predicate(.all([query.predicate.root, condition]))),
      on: table, deadline: execution.deadline
    ).keys()
  }
}
