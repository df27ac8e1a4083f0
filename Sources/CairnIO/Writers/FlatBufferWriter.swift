/// The fields of a table in a flatbuffer: the offset of each within the table.
///
/// Source: https://flatbuffers.dev/internals/
package final class FlatTable: Sendable {
  /// A field that a table has: its number in the schema, and its size in bytes.
  package typealias Field = (id: Int, size: Int)

  /// The offsets by the number of the field; 0 for fields that the table does not have.
  let offsets: [UInt16]
  /// The size of the table in bytes.
  let size: Int
  /// Whether a field has 8 bytes, which must be aligned.
  let isWide: Bool

  /// Lays out a table with fields of 1, 2, 4 and 8 bytes, largest first.
  package init(_ fields: [Field]) {
    var offsets = [UInt16](repeating: 0, count: (fields.map(\.id).max() ?? -1) + 1)
    var offset = 4
    for field in fields.sorted(by: { $0.size > $1.size }) {
      offsets[field.id] = UInt16(offset)
      offset += field.size
    }
    self.offsets = offsets
    size = offset
    isWide = fields.contains { $0.size == 8 }
  }
}

/// Writes a flatbuffer with its size before it, from front to back, so that it needs no memory of its
/// own.
///
/// Everything that a table refers to follows the table. Values are aligned relative to the first byte of
/// the marker or the size.
package struct FlatBufferWriter {
  private let sink: OutputSink
  /// The position of the first byte in the sink.
  private let start: Int
  /// The number of bytes before the buffer: the size, and a marker before it.
  private let prefixSize: Int

  /// A reference that has no destination yet: its position in the buffer.
  package struct Reference {
    fileprivate let position: Int
  }

  /// A table that was begun.
  package struct TablePosition {
    fileprivate let position: Int
    fileprivate let table: FlatTable
  }

  /// Begins a buffer. Its root table must come first.
  ///
  /// - Parameter marker: Bytes before the size; nil for none.
  package init(_ sink: OutputSink, marker: UInt32? = nil) {
    self.sink = sink
    start = sink.count
    prefixSize = marker == nil ? 4 : 8
    if let marker { sink.append(bits: marker.littleEndian) }
    sink.append(bits: UInt64(0))
  }

  /// The reference from the beginning of the buffer to its root table.
  package var root: Reference { Reference(position: prefixSize) }

  private var position: Int { sink.count - start }

  /// Appends zeros until the position behind `extra` more bytes is aligned.
  @inline(__always)
  private func align(_ alignment: Int, behind extra: Int = 0) {
    while (position + extra) & (alignment - 1) != 0 { sink.append(0 as UInt8) }
  }

  private func resolve(_ reference: Reference) {
    sink.set(
      bits: UInt32(truncatingIfNeeded: position - reference.position).littleEndian,
      at: start + reference.position)
  }

  // MARK: Tables

  /// Begins a table, whose fields are zero until they are set.
  package func begin(_ table: FlatTable, at reference: Reference) -> TablePosition {
    align(2)
    let fields = position
    append(UInt16(4 + 2 * table.offsets.count))
    append(UInt16(table.size))
    for offset in table.offsets { append(offset) }
    // The first field of 8 bytes follows the 4 bytes at the beginning of the table.
    align(table.isWide ? 8 : 4, behind: table.isWide ? 4 : 0)
    resolve(reference)
    let begun = TablePosition(position: position, table: table)
    append(Int32(begun.position - fields))
    for _ in 4..<table.size { sink.append(0 as UInt8) }
    return begun
  }

  /// Sets a field, which the table must have.
  package func set<T: FixedWidthInteger & BitwiseCopyable>(
    _ id: Int, of table: TablePosition, _ value: T
  ) {
    sink.set(
      bits: value.littleEndian, at: start + table.position + Int(table.table.offsets[id]))
  }

  /// The reference in a field of a table.
  package func reference(_ id: Int, of table: TablePosition) -> Reference {
    Reference(position: table.position + Int(table.table.offsets[id]))
  }

  // MARK: Vectors

  /// Writes a text with its length.
  package func append(text: String, at reference: Reference) {
    align(4)
    resolve(reference)
    append(UInt32(truncatingIfNeeded: text.utf8.count))
    sink.append(text)
    sink.append(0 as UInt8)
  }

  /// Begins a vector of numbers, which the caller appends.
  ///
  /// - Parameter size: The bytes of each number.
  package func beginVector(_ count: Int, size: Int, at reference: Reference) {
    align(max(4, size), behind: 4)
    resolve(reference)
    append(UInt32(truncatingIfNeeded: count))
  }

  /// Begins a vector of references to tables.
  ///
  /// - Returns: The first one; the others follow it.
  package func beginReferences(_ count: Int, at reference: Reference) -> Reference {
    beginVector(count, size: 4, at: reference)
    let first = Reference(position: position)
    for _ in 0..<count { append(UInt32(0)) }
    return first
  }

  /// The reference that many places behind another one in a vector.
  package func reference(_ index: Int, behind first: Reference) -> Reference {
    Reference(position: first.position + 4 * index)
  }

  /// Begins a vector of bytes, whose number ``endBytes(from:)`` writes.
  func beginBytes(at reference: Reference) -> Int {
    beginVector(0, size: 1, at: reference)
    return position
  }

  /// Ends a vector of bytes.
  func endBytes(from first: Int) {
    sink.set(
      bits: UInt32(truncatingIfNeeded: position - first).littleEndian, at: start + first - 4)
  }

  /// Appends the bytes of a number, the lowest first.
  @inline(__always)
  package func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    sink.append(bits: value.littleEndian)
  }

  /// Appends the bytes of a number, the lowest first.
  @inline(__always)
  func append(_ value: Double) { sink.append(bits: value.bitPattern.littleEndian) }

  /// Writes the size of the buffer, which ends here.
  package func end() {
    align(8)
    sink.set(
      bits: UInt32(truncatingIfNeeded: position - prefixSize).littleEndian,
      at: start + prefixSize - 4)
  }
}
