import CairnValues

/// A list, set or map as its row stores it, read in index.
///
/// A view of memory that a snapshot or a transaction keeps alive; every pointer that it returns is
/// valid for as long as the bytes that it was made from. Inconsistent bytes read as an
/// empty collection, or as empty texts in it; reads never pass the end of the bytes.
/// `docs/format.md` describes the encoding.
package struct StoredCollection {
  /// The number of elements.
  package let count: Int
  /// The type of the elements.
  package let type: ValueType
  /// The null bitmap: a set bit is a null element. Empty if no element is null.
  @usableFromInline let nulls: UnsafeRawBufferPointer
  /// The end of each key of a map as a u32, followed by the keys' texts.
  @usableFromInline let keys: UnsafeRawBufferPointer
  /// The elements. If their width varies: the end of each as a u32, followed by their bytes.
  @usableFromInline let elements: UnsafeRawBufferPointer

  /// Makes a view of the bytes of a row.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer, of type: ValueType, isMap: Bool) {
    guard bytes.count >= 4 else {
      self.init(empty: type)
      return
    }
    let head = Int(bytes.loadUnaligned(as: UInt32.self))
    let count = head >> 1
    let nullsEnd = 4 + (head & 1) * ((count + 7) >> 3)
    let keysEnd = isMap ? StoredCollection.textsEnd(bytes, start: nullsEnd, count: count) : nullsEnd
    let width = StoredCollection.width(of: type)
    let end =
      width > 0
      ? keysEnd + count * width : StoredCollection.textsEnd(bytes, start: keysEnd, count: count)
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
    assert(nulls.isEmpty || nulls.count * 8 >= count, "the null bitmap is too short")
    assert(elements.count >= count * StoredCollection.width(of: type), "elements are missing")
    self.count = count
    self.type = type
    self.nulls = nulls
    self.keys = keys
    self.elements = elements
  }

  /// Makes a collection without elements.
  @inlinable
  package init(empty type: ValueType) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    self.init(count: 0, type: type, nulls: nothing, keys: nothing, elements: nothing)
  }

  /// Returns the size in bytes of an element of a type; 0 if the size varies.
  @inlinable
  package static func width(of type: ValueType) -> Int {
    switch type {
    case .bool: 1
    case .float: 4
    case .int, .double, .date, .link, .embedded: 8
    case .objectId: 12
    case .uuid, .decimal128, .box: 16
    case .point: 24
    case .string, .data, .mixed, .geometry, .lineString, .polygon: 0
    }
  }

  /// Returns the end of the texts whose array of ends begins at `start`; a position past every row
  /// if the array is incomplete.
  @inlinable
  static func textsEnd(_ bytes: UnsafeRawBufferPointer, start: Int, count: Int) -> Int {
    let heap = start + count * 4
    guard heap <= bytes.count else { return 1 << 48 }
    guard count > 0 else { return heap }
    return heap + Int(bytes.loadUnaligned(fromByteOffset: heap - 4, as: UInt32.self))
  }

  /// Returns one of `count` texts that follow their array of ends, valid like them.
  @inlinable
  static func text(
    _ index: Int, of count: Int, in texts: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    assert(index >= 0 && index < count, "the collection does not have the element")
    let heap = count * 4
    assert(heap <= texts.count, "the ends of the texts are incomplete")
    let end = Int(texts.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    let start =
      index == 0 ? 0 : Int(texts.loadUnaligned(fromByteOffset: index * 4 - 4, as: UInt32.self))
    guard start <= end, heap + end <= texts.count else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: texts[heap + start..<heap + end])
  }
}

/// Access to elements by index, from 0. The caller must keep the index below `count`.
extension StoredCollection {
  /// Returns whether an element is null.
  @inlinable
  package func isNull(at index: Int) -> Bool {
    assert(index >= 0 && index < count, "the collection does not have the element")
    return !nulls.isEmpty && nulls[index >> 3] >> UInt8(index & 7) & 1 != 0
  }

  /// Returns an element of a collection of bools.
  @inlinable
  package func bool(at index: Int) -> Bool {
    assert(type == .bool, "the elements are not bools")
    return elements[index] != 0
  }

  /// Returns an element of a collection of ints; in a collection of links the key.
  @inlinable
  package func int(at index: Int) -> Int64 {
    assert(type == .int || type == .link || type == .embedded, "the elements are not integers")
    return elements.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
  }

  /// Returns an element of a collection of floats.
  @inlinable
  package func float(at index: Int) -> Float {
    assert(type == .float, "the elements are not floats")
    return elements.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
  }

  /// Returns an element of a collection of doubles or dates, or a coordinate of one of points.
  @inlinable
  package func double(at index: Int) -> Double {
    assert(type == .double || type == .date || type == .point, "the elements are not doubles")
    return elements.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
  }

  /// Returns the bytes of an element: a text, data, an encoded mixed value, or a value of fixed
  /// width. They are valid like the collection.
  @inlinable
  package func bytes(at index: Int) -> UnsafeRawBufferPointer {
    assert(index >= 0 && index < count, "the collection does not have the element")
    let width = StoredCollection.width(of: type)
    guard width > 0 else { return StoredCollection.text(index, of: count, in: elements) }
    return UnsafeRawBufferPointer(rebasing: elements[index * width..<(index + 1) * width])
  }

  /// Returns the text of an element.
  package func string(at index: Int) -> String {
    String(decoding: bytes(at: index), as: UTF8.self)
  }

  /// Returns an element of a collection of points.
  package func position(at index: Int) -> Position {
    Position(
      latitude: double(at: index * 3 + 1), longitude: double(at: index * 3),
      altitude: double(at: index * 3 + 2))
  }

  /// Returns an element as a value. A link is returned as its key, an int; a nested collection is
  /// returned as its encoded bytes.
  package func value(at index: Int) -> Value {
    if isNull(at: index) { return .null }
    switch type {
    case .bool: return .bool(bool(at: index))
    case .int, .link, .embedded: return .int(int(at: index))
    case .float: return .float(float(at: index))
    case .double: return .double(double(at: index))
    case .date: return .date(double(at: index))
    case .string: return .string(string(at: index))
    case .data: return .data(Array(bytes(at: index)))
    case .objectId: return .objectId(ObjectId(storedBytes: bytes(at: index)))
    case .uuid: return .uuid(UUIDBytes(storedBytes: bytes(at: index)))
    case .decimal128: return .decimal(Decimal128(storedBytes: bytes(at: index)))
    case .point: return .point(position(at: index))
    case .geometry, .lineString, .polygon: return .geometry(Array(bytes(at: index)))
    case .box: return .box(Box(storedBytes: bytes(at: index)))
    case .mixed:
      if case .value(let value) = element(at: index) { return value }
      return .data(Array(bytes(at: index)))
    }
  }

  /// Returns an element of a collection of mixed values, including nested collections; null if its
  /// bytes are invalid.
  package func element(at index: Int) -> Element {
    guard type == .mixed else { return .value(value(at: index)) }
    guard !isNull(at: index), let element = try? Element(decoding: bytes(at: index)) else {
      return .value(.null)
    }
    return element
  }
}

/// The keys of maps, sorted by their UTF-8 bytes.
extension StoredCollection {
  /// Returns the bytes of an entry's key, valid like the collection.
  @inlinable
  package func key(at index: Int) -> UnsafeRawBufferPointer {
    StoredCollection.text(index, of: count, in: keys)
  }

  /// Returns the key of an entry.
  package func keyText(at index: Int) -> String { String(decoding: key(at: index), as: UTF8.self) }

  /// Returns the index of the entry with that key, by binary search; nil if it does not exist.
  package func index(ofKey key: UnsafeRawBufferPointer) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      switch Ordering.between(self.key(at: middle), and: key) {
      case .equal: return middle
      case .less: low = middle + 1
      case .greater: high = middle
      }
    }
    return nil
  }

  /// Returns the index of the entry with that key; nil if it does not exist.
  package func index(ofKey key: String) -> Int? { key.utf8.withBytes { index(ofKey: $0) } }
}
