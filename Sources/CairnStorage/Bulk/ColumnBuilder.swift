import CairnValues

/// A property of the rows that a bulk load brings.
package struct BulkColumn: Hashable, Sendable {
  package let name: String
  package let type: ValueType
  package let isOptional: Bool

  package init(name: String, type: ValueType, isOptional: Bool) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
  }

  var layout: ChunkLayout {
    ColumnSchema(id: 0, name: name, type: type, position: 0).layout
  }
}

/// The rows of one column of a section, appended one after the other into raw memory.
///
/// The caller appends what the column's type asks for; nothing is checked here, because this is the
/// innermost loop of an import.
package final class ColumnBuilder {
  package let type: ValueType
  let layout: ChunkLayout
  // Behind a pointer, because every access to a variable of a class is checked for exclusivity at run time, which
  // takes as long as parsing the value does.
  @usableFromInline let state: UnsafeMutablePointer<State>

  @usableFromInline struct State {
    /// Rows appended.
    @usableFromInline var count = 0
    /// One array of fixed-width rows; for text the end of each row in `heap`; for points longitudes.
    @usableFromInline var rows = GrowingBytes()
    /// The bytes of texts; for points latitudes.
    @usableFromInline var heap = GrowingBytes()
    /// A byte for each row up to the last null: 1 where it is null.
    @usableFromInline var nulls = GrowingBytes()

    @usableFromInline init() {}
  }

  /// Rows appended.
  package var count: Int { state.pointee.count }
  var rows: GrowingBytes { state.pointee.rows }
  var heap: GrowingBytes { state.pointee.heap }
  var nulls: GrowingBytes {
    get { state.pointee.nulls }
    set { state.pointee.nulls = newValue }
  }

  package init(_ column: BulkColumn) {
    type = column.type
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

  /// Bytes in use.
  package var byteCount: Int { rows.count + heap.count + nulls.count }

  /// Appends to a bool, int or link column.
  @inlinable @inline(__always) package func append(int value: Int64) {
    state.pointee.rows.append(value)
    state.pointee.count &+= 1
  }

  /// Appends to a bool column.
  @inlinable @inline(__always) package func append(bool value: Bool) { append(int: value ? 1 : 0) }

  /// Appends to a double column.
  @inlinable @inline(__always) package func append(double value: Double) {
    state.pointee.rows.append(value)
    state.pointee.count &+= 1
  }

  /// Appends to a date column: seconds since 2001-01-01T00:00:00Z.
  @inlinable @inline(__always) package func append(date value: Double) { append(double: value) }

  /// Appends to a float column.
  @inlinable @inline(__always) package func append(float value: Float) {
    state.pointee.rows.append(value)
    state.pointee.count &+= 1
  }

  /// Appends to a string or data column.
  @inlinable @inline(__always) package func append(bytes: UnsafeRawBufferPointer) {
    state.pointee.heap.append(contentsOf: bytes)
    state.pointee.rows.append(UInt32(truncatingIfNeeded: state.pointee.heap.count))
    state.pointee.count &+= 1
  }

  /// Appends to an ObjectId, UUID or Decimal128 column.
  package func append(fixed bytes: UnsafeRawBufferPointer) {
    state.pointee.rows.append(contentsOf: bytes)
    state.pointee.count &+= 1
  }

  /// Appends to a point column.
  @inlinable @inline(__always) package func append(longitude: Double, latitude: Double) {
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

  /// Forgets every row, keeping the memory.
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
  @usableFromInline var base = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
  @usableFromInline var count = 0
  @usableFromInline var capacity = 4096

  @usableFromInline init() {}

  @inlinable @inline(__always) mutating func append<T: BitwiseCopyable>(_ value: T) {
    if count + MemoryLayout<T>.size > capacity { grow(MemoryLayout<T>.size) }
    base.storeBytes(of: value, toByteOffset: count, as: T.self)
    count += MemoryLayout<T>.size
  }

  @inlinable @inline(__always) mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if count + bytes.count > capacity { grow(bytes.count) }
    (base + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends zeros until there are `size` bytes.
  mutating func pad(to size: Int) {
    guard size > count else { return }
    if size > capacity { grow(size - count) }
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
}
