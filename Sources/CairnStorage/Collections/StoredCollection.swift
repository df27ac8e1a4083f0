import CairnValues

/// A list, a set or a map as its row stores it, read in place.
///
/// A view over memory that a snapshot or a transaction keeps alive. Bytes that contradict themselves read as an empty
/// collection, or as empty texts in it: never beyond their end. `docs/format.md` describes every byte.
package struct StoredCollection {
  /// The number of elements.
  package let count: Int
  /// What the elements are.
  package let type: ValueType
  /// Bit set: the element is null. Empty when none is.
  @usableFromInline let nulls: UnsafeRawBufferPointer
  /// Where each key of a map ends, u32, and behind that the texts.
  @usableFromInline let keys: UnsafeRawBufferPointer
  /// The elements; where their length varies: where each ends, u32, and behind that their bytes.
  @usableFromInline let elements: UnsafeRawBufferPointer

  /// A view over the bytes of a row.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer, of type: ValueType, isMap: Bool) {
    guard bytes.count >= 4 else {
      self.init(empty: type)
      return
    }
    let head = Int(bytes.loadUnaligned(as: UInt32.self))
    let count = head >> 1
    let nullsEnd = 4 + (head & 1) * ((count + 7) >> 3)
    let keysEnd = isMap ? StoredCollection.textsEnd(bytes, nullsEnd, count) : nullsEnd
    let width = StoredCollection.width(of: type)
    let end =
      width > 0 ? keysEnd + count * width : StoredCollection.textsEnd(bytes, keysEnd, count)
    guard end <= bytes.count else {
      self.init(empty: type)
      return
    }
    self.init(
      count: count, type: type, nulls: UnsafeRawBufferPointer(rebasing: bytes[4..<nullsEnd]),
      keys: UnsafeRawBufferPointer(rebasing: bytes[nullsEnd..<keysEnd]),
      elements: UnsafeRawBufferPointer(rebasing: bytes[keysEnd..<end]))
  }

  @inlinable
  init(
    count: Int, type: ValueType, nulls: UnsafeRawBufferPointer, keys: UnsafeRawBufferPointer,
    elements: UnsafeRawBufferPointer
  ) {
    self.count = count
    self.type = type
    self.nulls = nulls
    self.keys = keys
    self.elements = elements
  }

  /// A collection without elements.
  @inlinable
  package init(empty type: ValueType) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    self.init(count: 0, type: type, nulls: nothing, keys: nothing, elements: nothing)
  }

  /// Bytes of an element of a type; 0: they vary.
  @inlinable
  package static func width(of type: ValueType) -> Int {
    switch type {
    case .bool: 1
    case .float: 4
    case .int, .double, .date, .link, .embedded: 8
    case .objectId: 12
    case .uuid, .decimal128: 16
    case .point: 24
    case .string, .data, .mixed: 0
    }
  }

  /// Where texts end that begin with their ends at `start`; beyond every row when those are not all there.
  @inlinable
  static func textsEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
    let heap = start + count * 4
    guard heap <= bytes.count else { return 1 << 48 }
    guard count > 0 else { return heap }
    return heap + Int(bytes.loadUnaligned(fromByteOffset: heap - 4, as: UInt32.self))
  }

  /// One of `count` texts, behind their ends.
  @inlinable
  static func text(
    _ index: Int, of count: Int, in texts: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    let heap = count * 4
    let end = Int(texts.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    let start =
      index == 0 ? 0 : Int(texts.loadUnaligned(fromByteOffset: index * 4 - 4, as: UInt32.self))
    guard start <= end, heap + end <= texts.count else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: texts[heap + start..<heap + end])
  }
}

extension Chunk {
  /// The list, set or map of a row.
  @inlinable
  package func collection(at row: Int, of column: ColumnSchema) -> StoredCollection {
    isNull(row)
      ? StoredCollection(empty: column.type)
      : StoredCollection(bytes(at: row), of: column.type, isMap: column.collection == .map)
  }
}
