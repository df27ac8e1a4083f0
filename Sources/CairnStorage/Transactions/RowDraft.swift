import CairnValues

/// The row that is being built behind the last one of a class. Its cells go directly into the
/// edited chunks, but the row exists only once it is finished.
///
/// Everything that a row needs is looked up once for each chunk, so that millions of rows can be
/// appended quickly.
final class RowDraft {
  /// The columns that the caller fills, in order.
  let properties: [ColumnSchema]
  let primaryKey: Int
  let owner: (key: Int, column: Int)?
  /// The parts of a location, in a class that has the fields of one.
  private let location: (type: Int, coordinates: Int)?
  /// The positions of the geometries and of their boxes.
  let bounds: [(geometry: Int, boxes: Int)]
  /// The properties that link to objects.
  private(set) var links: [LinkCell] = []
  /// The cells of the row, `columnCount` of them, valid while the draft lives. The overlay keeps their
  /// chunks alive.
  private let memory: UnsafeMutablePointer<Cell>
  let columnCount: Int
  let propertyCount: Int
  private let progress: UnsafeMutablePointer<Progress>
  /// The first invalid cell.
  var fault: StoreError?
  /// The primary key of the row.
  var key = Value.null

  /// One cell: the chunk of its column, and the values that it accepts.
  struct Cell {
    let memory: ChunkMemory
    let type: ValueType
    let isNullable: Bool
    /// The size in bytes up to which a text or data goes directly into the chunk.
    let inlineSize: Int
  }

  /// A property that links to objects.
  struct LinkCell {
    let column: ColumnSchema
    /// Class and column as one number.
    let ownerCode: Int64
    /// The position of the column with the location that the embedded object describes.
    let point: Int?
    /// The draft of the target class; released when the transaction ends.
    let target: RowDraft
  }

  /// The state that changes with every row.
  private struct Progress {
    /// The chunk of the row; -1 if it has to be looked up.
    var chunk = -1
    /// Whether the chunk has a live-row bitmap, which marks every live row.
    var marksRows = false
    /// The position of the next property.
    var position = 0
    /// Class and column, as one number, of the last owner that was checked.
    var checkedOwner: Int64 = -1
    /// The last finished row, while it is live; otherwise -1.
    var lastKey = -1
    var lastOwner = -1
    var lastOwnerCode: Int64 = -1
  }

  init(_ schema: TableSchema) {
    properties = schema.properties
    propertyCount = schema.properties.count
    primaryKey = schema.primaryKey ?? -1
    owner = schema.ownerColumns
    location = schema.locationColumns.map { ($0.type.position, $0.coordinates.position) }
    bounds = schema.properties.compactMap { column in
      schema.bounds(for: column).map { (column.position, $0.position) }
    }
    columnCount = schema.columns.count
    memory = .allocate(capacity: max(columnCount, 1))
    progress = .allocate(capacity: 1)
    progress.initialize(to: Progress())
  }

  deinit {
    memory.deallocate()
    progress.deallocate()
  }

  var chunk: Int {
    get { progress.pointee.chunk }
    set { progress.pointee.chunk = newValue }
  }
  var marksRows: Bool {
    get { progress.pointee.marksRows }
    set { progress.pointee.marksRows = newValue }
  }
  var position: Int {
    get { progress.pointee.position }
    set { progress.pointee.position = newValue }
  }
  var checkedOwner: Int64 {
    get { progress.pointee.checkedOwner }
    set { progress.pointee.checkedOwner = newValue }
  }

  /// Returns the cell of a column.
  @inline(__always)
  func cell(_ column: Int) -> Cell {
    assert(column >= 0 && column < columnCount, "the class does not have the column")
    return memory[column]
  }

  /// Sets the cell of a column.
  func setCell(_ cell: Cell, of column: Int) {
    assert(column >= 0 && column < columnCount, "the class does not have the column")
    memory[column] = cell
  }

  /// Discards the cells of the row.
  func reset() {
    progress.pointee.position = 0
    if fault != nil { fault = nil }
  }

  /// Looks everything up again with the next row, because a row was deleted or the chunk is full.
  func invalidate() {
    progress.pointee.chunk = -1
    progress.pointee.lastKey = -1
  }

  /// Sets the link properties and their targets.
  func connect(_ links: [LinkCell]) { self.links = links }

  /// Records the finished row and its owner.
  func note(_ key: Int, ownedBy owner: Owner) {
    progress.pointee.lastKey = key
    progress.pointee.lastOwner = owner.key
    progress.pointee.lastOwnerCode = owner.code
  }

  /// Returns whether the row is the last finished one, is live, and has this owner.
  func isLast(_ key: Int, owner: Int, code: Int64) -> Bool {
    progress.pointee.lastKey == key && progress.pointee.lastOwner == owner
      && progress.pointee.lastOwnerCode == code
  }

  /// Returns whether a row of the chunk holds what describes its location, and not a reference to it.
  func holdsLocation(ofRow row: Int) -> Bool {
    guard let location else { return true }
    return ![location.type, location.coordinates].contains {
      LargeReference.resembles(cell($0).memory.bytes(at: row))
    }
  }

  /// Returns the position that a row of the chunk describes, which holds it.
  func location(ofRow row: Int) -> Position? {
    guard let location, !cell(location.type).memory.isNull(row) else { return nil }
    let coordinates = cell(location.coordinates).memory
    return Position(
      type: cell(location.type).memory.bytes(at: row),
      StoredCollection(coordinates.bytes(at: row), of: .double, isMap: false))
  }
}
