import CairnGeometry
import CairnIndex
import CairnValues

/// A property of the rows in a bulk load.
package struct BulkColumn: Hashable, Sendable {
  /// The name of the property.
  package let name: String
  /// The type of its values, or of the elements of a collection.
  package let type: ValueType
  /// Whether rows may be null.
  package let isOptional: Bool
  /// The kind of collection, if rows hold one. They are appended as encoded bytes.
  package let collection: CollectionKind
  /// The index, in the load's columns, of the geometries whose boxes the column holds; nil for a
  /// property.
  var source: Int?

  /// Makes a property of a load.
  package init(
    name: String, type: ValueType, isOptional: Bool, collection: CollectionKind = .none
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.collection = collection
  }

  /// Returns the rule by which values lie outside of their chunks; nil if none do.
  ///
  /// - Parameter format: The version of the store's format.
  func largeValueRule(format: UInt32 = Store.formatVersion) -> LargeValueRule? {
    LargeValueRule(layout, isGeometry: storedType.isGeometry, format: format)
  }

  /// Returns the column with the boxes of a column of geometries.
  func boxes(of index: Int) -> BulkColumn? {
    guard type.isGeometry, collection == .none else { return nil }
    var boxes = BulkColumn(name: name, type: .box, isOptional: true)
    boxes.source = index
    return boxes
  }

  private var stored: ColumnSchema {
    ColumnSchema(id: 0, name: name, type: type, collection: collection, position: 0)
  }

  var layout: ChunkLayout { stored.layout }

  /// The type of a stored row. Collections are stored as bytes.
  var storedType: ValueType { stored.storedType }
}

/// The rows of one column of a batch, appended to raw memory.
///
/// The caller calls the `append` that matches the column's type. Only asserts check it, because this
/// is the innermost loop of an import.
package final class ColumnBuilder {
  /// The type of the stored rows; `data` for collections.
  package let type: ValueType
  @usableFromInline let layout: ChunkLayout
  // Behind a pointer, because Swift checks every access to a class's variable for exclusivity at
  // run time, which takes as long as parsing the value does.
  @usableFromInline let state: UnsafeMutablePointer<State>

  @usableFromInline struct State {
    /// The number of appended rows.
    @usableFromInline var count = 0
    /// One array of fixed-width rows. For text: the end of each row in `heap`. For points:
    /// longitudes.
    @usableFromInline var rows = GrowingBytes()
    /// The bytes of texts. For points: latitudes.
    @usableFromInline var heap = GrowingBytes()
    /// A byte for each row up to the last null; 1 if it is null.
    @usableFromInline var nulls = GrowingBytes()

    @usableFromInline init() {}
  }

  /// The number of appended rows.
  package var count: Int { state.pointee.count }
  var rows: GrowingBytes { state.pointee.rows }
  var heap: GrowingBytes { state.pointee.heap }
  var nulls: GrowingBytes {
    get { state.pointee.nulls }
    set { state.pointee.nulls = newValue }
  }

  /// Makes an empty builder for a column.
  package init(_ column: BulkColumn) {
    type = column.storedType
    layout = column.layout
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    state.pointee.rows.deallocate()
    state.pointee.heap.deallocate()
    state.pointee.nulls.deallocate()
    state.deallocate()
  }

  /// The number of bytes in use.
  package var byteCount: Int { rows.count + heap.count + nulls.count }

  /// Appends to an int, bool or link column.
  @inlinable @inline(__always) package func append(int value: Int64) {
    assert(layout == .integers, "the column does not hold integers")
    state.pointee.rows.append(value)
    state.pointee.count &+= 1
  }

  /// Appends to a bool column.
  @inlinable @inline(__always) package func append(bool value: Bool) { append(int: value ? 1 : 0) }

  /// Appends to a double column.
  @inlinable @inline(__always) package func append(double value: Double) {
    assert(layout == .doubles, "the column does not hold doubles")
    state.pointee.rows.append(value)
    state.pointee.count &+= 1
  }

  /// Appends to a date column: seconds since 2001-01-01T00:00:00Z.
  @inlinable @inline(__always) package func append(date value: Double) { append(double: value) }

  /// Appends to a float column.
  @inlinable @inline(__always) package func append(float value: Float) {
    assert(layout == .floats, "the column does not hold floats")
    state.pointee.rows.append(value)
    state.pointee.count &+= 1
  }

  /// Appends to a string or data column, or a geometry in its packed form.
  @inlinable @inline(__always) package func append(bytes: UnsafeRawBufferPointer) {
    assert(layout == .bytes, "the column does not hold texts")
    state.pointee.heap.append(contentsOf: bytes)
    assert(state.pointee.heap.count <= Int(UInt32.max), "a batch has up to 4 GB of texts")
    state.pointee.rows.append(UInt32(truncatingIfNeeded: state.pointee.heap.count))
    state.pointee.count &+= 1
  }

  /// Appends to an ObjectId, UUID or Decimal128 column.
  package func append(fixed bytes: UnsafeRawBufferPointer) {
    assert(layout == .fixed(bytes.count), "the value has another width than the column")
    state.pointee.rows.append(contentsOf: bytes)
    state.pointee.count &+= 1
  }

  /// Appends to a point column.
  @inlinable @inline(__always) package func append(longitude: Double, latitude: Double) {
    assert(layout == .points, "the column does not hold points")
    state.pointee.rows.append(longitude)
    state.pointee.heap.append(latitude)
    state.pointee.count &+= 1
  }

  /// Appends a null to any column.
  package func appendNull() {
    state.pointee.nulls.pad(to: count)
    state.pointee.nulls.append(UInt8(1))
    switch layout {
    case .integers: state.pointee.rows.append(Int64(0))
    case .doubles: state.pointee.rows.append(Double(0))
    case .floats: state.pointee.rows.append(Float(0))
    case .bytes: state.pointee.rows.append(UInt32(truncatingIfNeeded: state.pointee.heap.count))
    case .fixed(let width): state.pointee.rows.pad(to: rows.count + width)
    case .points:
      state.pointee.rows.append(Double(0))
      state.pointee.heap.append(Double(0))
    }
    state.pointee.count &+= 1
  }

  /// Makes some bytes after the last text readable, for parsers that read beyond the end of a text.
  package func makeReadable(beyondTexts count: Int) {
    let end = heap.count
    state.pointee.heap.pad(to: end + count)
    state.pointee.heap.count = end
  }

  /// Removes every row but keeps the memory.
  package func removeAll() {
    state.pointee.rows.count = 0
    state.pointee.heap.count = 0
    state.pointee.nulls.count = 0
    state.pointee.count = 0
  }
}

/// Raw memory that grows at its end.
@usableFromInline
struct GrowingBytes {
  /// The memory, aligned to 16 bytes and valid until the next change.
  @usableFromInline var base = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
  @usableFromInline var count = 0
  @usableFromInline var capacity = 4096

  @usableFromInline init() {}

  @inlinable @inline(__always) mutating func append<T: BitwiseCopyable>(_ value: T) {
    if count + MemoryLayout<T>.size > capacity { grow(MemoryLayout<T>.size) }
    assert(count + MemoryLayout<T>.size <= capacity, "the memory is too small")
    base.storeBytes(of: value, toByteOffset: count, as: T.self)
    count += MemoryLayout<T>.size
  }

  @inlinable @inline(__always) mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    assert(
      source + bytes.count <= UnsafeRawPointer(base)
        || source >= UnsafeRawPointer(base + capacity), "the bytes are in the memory that may move")
    if count + bytes.count > capacity { grow(bytes.count) }
    assert(count + bytes.count <= capacity, "the memory is too small")
    (base + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends zeros up to `size` bytes.
  mutating func pad(to size: Int) {
    guard size > count else { return }
    if size > capacity { grow(size - count) }
    assert(size <= capacity, "the memory is too small")
    (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: size - count)
    count = size
  }

  @usableFromInline @inline(never) mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    grown.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = grown
  }

  func deallocate() { base.deallocate() }

  /// Returns an element of the memory as an array.
  @inline(__always)
  func element<T: BitwiseCopyable>(_ index: Int, as type: T.Type) -> T {
    assert(index >= 0 && (index + 1) * MemoryLayout<T>.stride <= count, "no such element")
    return base.load(fromByteOffset: index * MemoryLayout<T>.stride, as: type)
  }

  /// Returns a part of the memory, valid until the next change.
  func bytes(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    assert(start >= 0 && start <= end && end <= count, "the bytes lie outside of the memory")
    return UnsafeRawBufferPointer(start: base + start, count: end - start)
  }
}

// Reads appended rows again, for a preview of a load.
extension ColumnBuilder {
  /// Returns whether a row is null.
  package func isNull(_ row: Int) -> Bool {
    row < nulls.count && nulls.element(row, as: UInt8.self) != 0
  }

  /// The number of null rows.
  package var nullCount: Int { (0..<nulls.count).count { isNull($0) } }

  /// Returns the value of a row, for the types that files have.
  package func value(at row: Int) -> Value {
    if isNull(row) { return .null }
    switch type {
    case .bool: return .bool(int(row) != 0)
    case .int: return .int(int(row))
    case .double: return .double(rows.element(row, as: Double.self))
    case .date: return .date(rows.element(row, as: Double.self))
    case .point:
      return .point(
        Position(
          latitude: heap.element(row, as: Double.self),
          longitude: rows.element(row, as: Double.self)))
    case .float: return .float(rows.element(row, as: Float.self))
    case .decimal128: return .decimal(Decimal128(storedBytes: fixed(row, width: 16)))
    case .objectId: return .objectId(ObjectId(storedBytes: fixed(row, width: 12)))
    case .uuid: return .uuid(UUIDBytes(storedBytes: fixed(row, width: 16)))
    case .data: return .data(Array(bytes(at: row)))
    case .geometry, .lineString, .polygon: return .geometry(Array(bytes(at: row)))
    default: return .string(String(decoding: bytes(at: row), as: UTF8.self))
    }
  }

  /// Returns the bytes of a row of text. They are valid until the next append.
  package func bytes(at row: Int) -> UnsafeRawBufferPointer {
    assert(layout == .bytes, "the column does not hold texts")
    return heap.bytes(from: row == 0 ? 0 : end(row - 1), to: end(row))
  }

  private func end(_ row: Int) -> Int { Int(rows.element(row, as: UInt32.self)) }

  /// Returns the bytes of a row of fixed width. They are valid until the next append.
  func fixed(_ row: Int, width: Int) -> UnsafeRawBufferPointer {
    assert(layout == .fixed(width), "the column holds values of another width")
    return rows.bytes(from: row * width, to: (row + 1) * width)
  }

  /// Returns the integer of a row of an int column.
  package func integer(at row: Int) -> Int64 { int(row) }

  /// The memory of the rows of an int, double or date column, 8 bytes for each, or of the longitudes of a
  /// point column. This and the following are valid until the next append.
  package var numberMemory: UnsafeRawPointer { UnsafeRawPointer(rows.base) }

  /// The memory of the latitudes of a point column, 8 bytes for each row.
  package var latitudeMemory: UnsafeRawPointer { UnsafeRawPointer(heap.base) }

  /// A byte for each row up to the last null, 1 if it is null.
  package var nullMemory: UnsafeRawBufferPointer { nulls.bytes(from: 0, to: nulls.count) }

  private func int(_ row: Int) -> Int64 {
    assert(layout == .integers, "the column does not hold integers")
    return rows.element(row, as: Int64.self)
  }
}

/// A column batch: some hundred thousand rows of a bulk load, stored by column and filled by one
/// thread.
package final class ColumnBatch: @unchecked Sendable {
  // Sendable: the thread that fills the batch passes it to the load; two threads never use it at
  // once.
  /// The builders, in the order of the load's columns.
  package let columns: [ColumnBuilder]
  /// The boxes of the geometries, made when the batch is complete.
  private(set) var boxes: [ColumnBuilder] = []

  /// Makes an empty batch with one builder for each column.
  package init(columns: [BulkColumn]) {
    self.columns = columns.map(ColumnBuilder.init)
  }

  /// Makes a batch of columns that are filled already, all with the same number of rows.
  package init(filled columns: [ColumnBuilder]) {
    self.columns = columns
  }

  /// The number of rows in every column.
  package var rowCount: Int { columns.first?.count ?? 0 }

  /// The number of bytes in use.
  package var byteCount: Int { allColumns.reduce(0) { $0 + $1.byteCount } }

  /// Removes every row but keeps the memory.
  package func removeAll() {
    for column in columns + boxes { column.removeAll() }
  }

  /// Fills the columns of boxes.
  func makeBoxes(for all: [BulkColumn]) {
    let wanted = all[columns.count...]
    if boxes.isEmpty { boxes = wanted.map(ColumnBuilder.init) }
    for (column, builder) in zip(wanted, boxes) {
      guard let source = column.source else { continue }
      builder.removeAll()
      builder.append(boxesOf: columns[source])
    }
  }

  /// The builders of all columns, with those of the boxes.
  var allColumns: [ColumnBuilder] { columns + boxes }
}

extension ColumnBuilder {
  /// Appends the box of every geometry of another column.
  fileprivate func append(boxesOf geometries: ColumnBuilder) {
    for row in 0..<geometries.count {
      guard !geometries.isNull(row), let box = GeometryView(geometries.bytes(at: row)).bounds
      else {
        appendNull()
        continue
      }
      Box(box).withStoredBytes { append(fixed: $0) }
    }
  }

  /// The key of each row on the Hilbert curve of its location or box; null rows have any.
  func hilbertKeys() -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: count) { keys, filled in
      filled = count
      guard let first = keys.baseAddress else { return }
      guard type == .point else {
        assert(layout == .fixed(16) && rows.count == count * 16, "the rows are not boxes")
        let boxes = rows.base.assumingMemoryBound(to: Envelope.self)
        for row in 0..<count { first[row] = Hilbert.key(of: boxes[row]) }
        return
      }
      assert(rows.count == count * 8 && heap.count == count * 8, "the rows are not points")
      Hilbert.keys(
        longitudes: rows.base.assumingMemoryBound(to: Double.self),
        latitudes: heap.base.assumingMemoryBound(to: Double.self), count: count, into: first)
    }
  }
}
