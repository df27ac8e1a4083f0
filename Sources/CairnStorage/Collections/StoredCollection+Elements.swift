import CairnValues

/// Elements by their place, from 0; a place beyond `count` is a mistake of the caller.
extension StoredCollection {
  /// Whether the element is null.
  @inlinable
  package func isNull(at index: Int) -> Bool {
    !nulls.isEmpty && nulls[index >> 3] >> UInt8(index & 7) & 1 != 0
  }

  /// The element of a collection of bools.
  @inlinable
  package func bool(at index: Int) -> Bool { elements[index] != 0 }

  /// The element of a collection of ints; of links: the key.
  @inlinable
  package func int(at index: Int) -> Int64 {
    elements.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
  }

  /// The element of a collection of floats.
  @inlinable
  package func float(at index: Int) -> Float {
    elements.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
  }

  /// The element of a collection of doubles or dates.
  @inlinable
  package func double(at index: Int) -> Double {
    elements.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
  }

  /// The bytes of an element: a text, data, a mixed value as it is stored, or a value of fixed width.
  @inlinable
  package func bytes(at index: Int) -> UnsafeRawBufferPointer {
    let width = StoredCollection.width(of: type)
    guard width > 0 else { return StoredCollection.text(index, of: count, in: elements) }
    return UnsafeRawBufferPointer(rebasing: elements[index * width..<(index + 1) * width])
  }

  /// The text of an element.
  package func string(at index: Int) -> String {
    String(decoding: bytes(at: index), as: UTF8.self)
  }

  /// The location of an element of a collection of points.
  package func position(at index: Int) -> Position {
    Position(
      latitude: double(at: index * 3 + 1), longitude: double(at: index * 3),
      altitude: double(at: index * 3 + 2))
  }

  /// The element as a value. Links give their key as an int; a mixed element that is a collection gives its stored bytes.
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
    case .mixed:
      if case .value(let value) = element(at: index) { return value }
      return .data(Array(bytes(at: index)))
    }
  }

  /// The element of a collection of mixed values, nested ones whole; null where its bytes make no sense.
  package func element(at index: Int) -> Element {
    guard type == .mixed else { return .value(value(at: index)) }
    guard !isNull(at: index), let element = try? Element(decoding: bytes(at: index)) else {
      return .value(.null)
    }
    return element
  }
}

/// Keys of maps: sorted by their UTF-8 bytes.
extension StoredCollection {
  /// The bytes of the key of an entry.
  @inlinable
  package func key(at index: Int) -> UnsafeRawBufferPointer {
    StoredCollection.text(index, of: count, in: keys)
  }

  /// The key of an entry.
  package func keyText(at index: Int) -> String { String(decoding: key(at: index), as: UTF8.self) }

  /// The place of the entry with that key; nil when there is none.
  package func place(ofKey key: UnsafeRawBufferPointer) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      switch Ordering.between(self.key(at: middle), key) {
      case .equal: return middle
      case .less: low = middle + 1
      case .greater: high = middle
      }
    }
    return nil
  }

  /// The place of the entry with that key; nil when there is none.
  package func place(ofKey key: String) -> Int? { key.utf8.withBytes { place(ofKey: $0) } }
}
