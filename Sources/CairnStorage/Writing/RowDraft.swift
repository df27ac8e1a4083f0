import CairnValues

/// The row that is being put together behind the last one of a class: its cells go straight into the chunks that are
/// edited, but it exists only once it is finished.
///
/// Everything that a row needs is looked up once for each chunk, so that millions of rows can be appended.
final class RowDraft {
  /// The columns that the caller gives, in order.
  let properties: [ColumnSchema]
  let primaryKey: Int
  let owner: (key: Int, column: Int)?
  /// Where a class of the shape of a location has its parts.
  private let location: (type: Int, coordinates: Int)?
  /// The properties that lead to objects.
  private(set) var links: [LinkCell] = []
  /// The cells of the row, one for each column; the overlay keeps their chunks.
  let cells: UnsafeMutablePointer<Cell>
  let columnCount: Int
  let propertyCount: Int
  private let progress: UnsafeMutablePointer<Progress>
  /// The first thing that was wrong with a cell.
  var fault: StoreError?
  /// The primary key of the row.
  var key = Value.null

  /// One cell: the chunk of its column, and what it may hold.
  struct Cell {
    let memory: ChunkMemory
    let type: ValueType
    let isNullable: Bool
  }

  /// A property that leads to objects.
  struct LinkCell {
    let column: ColumnSchema
    /// Class and column as one number.
    let place: Int64
    /// Where the location stands that the embedded object describes.
    let point: Int?
    /// The class that it leads to; let go when the transaction ends.
    let target: RowDraft
  }

  /// What changes with every row.
  private struct Progress {
    /// The chunk in which the row stands; -1: to be looked up.
    var chunk = -1
    /// Whether the chunk has a mark for each row that lives.
    var marksRows = false
    /// The property that comes next.
    var position = 0
    /// The place of the last owner that was checked.
    var knownOwner: Int64 = -1
    /// The last row that was finished, while it lives; -1: none.
    var lastKey = -1
    var lastOwner = -1
    var lastPlace: Int64 = -1
  }

  init(_ schema: TableSchema) {
    properties = schema.properties
    propertyCount = schema.properties.count
    primaryKey = schema.primaryKey ?? -1
    owner = schema.ownerColumns
    location = schema.locationColumns.map { ($0.type.position, $0.coordinates.position) }
    columnCount = schema.columns.count
    cells = .allocate(capacity: max(columnCount, 1))
    progress = .allocate(capacity: 1)
    progress.initialize(to: Progress())
  }

  deinit {
    cells.deallocate()
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
  var knownOwner: Int64 {
    get { progress.pointee.knownOwner }
    set { progress.pointee.knownOwner = newValue }
  }

  /// Forgets what was said of the row.
  func reset() {
    progress.pointee.position = 0
    if fault != nil { fault = nil }
  }

  /// Looks everything up again with the next row: a row was deleted, or the chunk is full.
  func invalidate() {
    progress.pointee.chunk = -1
    progress.pointee.lastKey = -1
  }

  /// Sets what the links lead to.
  func connect(_ links: [LinkCell]) { self.links = links }

  /// Notes the row that was finished, and whose it is.
  func note(_ key: Int, ownedBy owner: Owner) {
    progress.pointee.lastKey = key
    progress.pointee.lastOwner = owner.key
    progress.pointee.lastPlace = owner.place
  }

  /// Whether the row is the last one that was finished, it lives, and this is whose it is.
  func isLast(_ key: Int, owner: Int, place: Int64) -> Bool {
    progress.pointee.lastKey == key && progress.pointee.lastOwner == owner
      && progress.pointee.lastPlace == place
  }

  /// The place that a row of the chunk describes.
  func place(_ row: Int) -> Position? {
    guard let location, !cells[location.type].memory.isNull(row) else { return nil }
    let coordinates = cells[location.coordinates].memory
    return Position(
      type: cells[location.type].memory.bytes(at: row),
      StoredCollection(coordinates.bytes(at: row), of: .double, isMap: false))
  }
}
