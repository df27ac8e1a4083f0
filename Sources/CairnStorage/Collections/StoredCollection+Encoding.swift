import CairnValues

/// The bytes of a row from the elements. What is of another type than the collection's is written as null.
extension StoredCollection {
  /// A list. Elements of a link collection are keys as ints.
  package static func encode(_ values: [Value], of type: ValueType) -> [UInt8] {
    var writer = CollectionWriter(type, capacity: values.count)
    for value in values { writer.append(value) }
    return writer.bytes()
  }

  /// A list of links.
  package static func encode(links keys: [Int]) -> [UInt8] {
    encode(words: keys)
  }

  /// A list of doubles.
  package static func encode(doubles: [Double]) -> [UInt8] {
    encode(words: doubles)
  }

  /// Calls the body with the bytes of a list of doubles, without an array of them.
  package static func withEncoded(_ doubles: [Double], _ body: (UnsafeRawBufferPointer) -> Void) {
    guard !doubles.isEmpty else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    withUnsafeTemporaryAllocation(byteCount: 4 + doubles.count * 8, alignment: 8) { bytes in
      bytes.storeBytes(of: UInt32(doubles.count << 1), as: UInt32.self)
      doubles.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[4...]).copyMemory(from: $0)
      }
      body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// A list of elements of 8 bytes of which none is null.
  @inline(__always)
  private static func encode<Word: BitwiseCopyable>(words: [Word]) -> [UInt8] {
    guard !words.isEmpty else { return [] }
    let size = 4 + words.count * 8
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, initialized in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      raw.storeBytes(of: UInt32(words.count << 1), as: UInt32.self)
      words.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: raw[4..<size]).copyMemory(from: $0)
      }
      initialized = size
    }
  }

  /// A set: sorted by value, each one once.
  package static func encode(set values: [Value], of type: ValueType) -> [UInt8] {
    encode(values.sortedOnce(by: Value.setOrder), of: type)
  }

  /// A map; of entries with the same key the last one counts.
  package static func encode(
    map entries: [(key: String, value: Value)], of type: ValueType
  ) -> [UInt8] {
    var writer = CollectionWriter(type, capacity: entries.count)
    for entry in entries.sortedByKey(\.key) {
      writer.append(key: entry.key)
      writer.append(entry.value)
    }
    return writer.bytes()
  }

  /// A list of mixed values.
  package static func encode(_ elements: [Element]) -> [UInt8] {
    var writer = CollectionWriter(.mixed, capacity: elements.count)
    for element in elements { writer.append(element) }
    return writer.bytes()
  }

  /// A set of mixed values.
  package static func encode(set elements: [Element]) -> [UInt8] {
    encode(elements.sortedOnce(by: Element.setOrder))
  }

  /// A map of mixed values; of entries with the same key the last one counts.
  package static func encode(map entries: [Element.Entry]) -> [UInt8] {
    var writer = CollectionWriter(.mixed, capacity: entries.count)
    for entry in entries.sortedByKey(\.key) {
      writer.append(key: entry.key)
      writer.append(entry.value)
    }
    return writer.bytes()
  }
}

extension Value {
  /// The order within a set: that of sorting, and values of different types that stand together by their type.
  package static func setOrder(_ a: Value, _ b: Value) -> Ordering {
    let order = sortOrder(a, b)
    return order == .equal ? Ordering(a.type?.rawValue ?? 0, b.type?.rawValue ?? 0) : order
  }
}

extension Element {
  /// The order within a set: values, then lists, then maps.
  package static func setOrder(_ a: Element, _ b: Element) -> Ordering {
    if case .value(let x) = a, case .value(let y) = b { return Value.setOrder(x, y) }
    let kinds = Ordering(a.rank, b.rank)
    guard kinds == .equal else { return kinds }
    return a.encoded().withUnsafeBytes { x in
      b.encoded().withUnsafeBytes { y in Ordering.between(x, y) }
    }
  }

  private var rank: Int {
    switch self {
    case .value: 0
    case .list: 1
    case .map: 2
    }
  }
}

extension Array {
  /// In that order, and of equal ones the first.
  fileprivate func sortedOnce(by order: (Element, Element) -> Ordering) -> [Element] {
    var result: [Element] = []
    for element in sorted(by: { order($0, $1) == .less }) {
      if let last = result.last, order(last, element) == .equal { continue }
      result.append(element)
    }
    return result
  }

  /// By the bytes of the key, and of equal ones the last.
  fileprivate func sortedByKey(_ key: (Element) -> String) -> [Element] {
    let sorted = enumerated().sorted { a, b in
      let order = Ordering.between(key(a.element), key(b.element))
      return order == .equal ? a.offset < b.offset : order == .less
    }
    var result: [Element] = []
    for (_, entry) in sorted {
      if let last = result.last, Ordering.between(key(last), key(entry)) == .equal {
        result.removeLast()
      }
      result.append(entry)
    }
    return result
  }
}
