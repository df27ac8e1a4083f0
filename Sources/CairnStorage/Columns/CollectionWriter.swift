import CairnValues

/// Encodes the elements of a collection as a row stores them.
struct CollectionWriter {
  private let type: ValueType
  private var count = 0
  private var keyCount = 0
  private var hasNulls = false
  private var nulls: [UInt8] = []
  private var keyEnds: [UInt8] = []
  private var keyTexts: [UInt8] = []
  private var ends: [UInt8] = []
  private var elements: [UInt8] = []

  init(_ type: ValueType, capacity: Int) {
    self.type = type
    elements.reserveCapacity(capacity * max(StoredCollection.width(of: type), 1))
  }

  /// Appends the key of the next element.
  mutating func append(key: String) {
    keyTexts.append(contentsOf: key.utf8)
    keyEnds.append(little: UInt32(keyTexts.count))
  }

  /// Appends an element; a value of another type is written as null.
  mutating func append(_ value: Value) {
    if type == .mixed { return append(Element.value(value)) }
    switch value {
    case .bool(let flag) where type == .bool: elements.append(flag ? 1 : 0)
    case .int(let number) where type == .int || type == .link || type == .embedded:
      elements.append(little: number)
    case .link(let link) where type == .link || type == .embedded:
      elements.append(little: Int64(link.key))
    case .float(let number) where type == .float: elements.append(little: number.bitPattern)
    case .double(let number) where type == .double: elements.append(little: number.bitPattern)
    case .date(let number) where type == .date: elements.append(little: number.bitPattern)
    case .string(let text) where type == .string:
      elements.append(contentsOf: text.utf8)
    case .data(let bytes) where type == .data: elements.append(contentsOf: bytes)
    case .objectId(let id) where type == .objectId:
      id.withStoredBytes { elements.append(contentsOf: $0) }
    case .uuid(let id) where type == .uuid: id.withStoredBytes { elements.append(contentsOf: $0) }
    case .decimal(let number) where type == .decimal128:
      number.withStoredBytes { elements.append(contentsOf: $0) }
    case .point(let position) where type == .point:
      for number in [position.longitude, position.latitude, position.altitude] {
        elements.append(little: number.bitPattern)
      }
    default: markNull()
    }
    finishElement()
  }

  /// Appends an element of a collection of mixed values.
  mutating func append(_ element: Element) {
    if element == .value(.null) {
      markNull()
    } else {
      elements.append(contentsOf: element.encoded())
    }
    finishElement()
  }

  private mutating func markNull() {
    hasNulls = true
    assert(nulls.count <= (count >> 3) + 1, "the null bitmap is ahead of the elements")
    nulls.append(contentsOf: repeatElement(0, count: (count >> 3) + 1 - nulls.count))
    nulls[count >> 3] |= 1 << UInt8(count & 7)
    elements.append(contentsOf: repeatElement(0, count: StoredCollection.width(of: type)))
  }

  private mutating func finishElement() {
    assert(
      StoredCollection.width(of: type) == 0
        || elements.count == (count + 1) * StoredCollection.width(of: type),
      "an element has another width than its type")
    if StoredCollection.width(of: type) == 0 { ends.append(little: UInt32(elements.count)) }
    count += 1
  }

  /// Returns the encoded bytes; empty for a collection without elements.
  func bytes() -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes: [UInt8] = []
    let nullsSize = hasNulls ? (count + 7) >> 3 : 0
    bytes.reserveCapacity(
      4 + nullsSize + keyEnds.count + keyTexts.count + ends.count + elements.count)
    bytes.append(little: UInt32(count << 1 | (hasNulls ? 1 : 0)))
    if hasNulls {
      bytes += nulls
      bytes.append(contentsOf: repeatElement(0, count: nullsSize - nulls.count))
    }
    bytes += keyEnds
    bytes += keyTexts
    bytes += ends
    bytes += elements
    return bytes
  }
}

extension Array where Element == UInt8 {
  /// Appends a number, little-endian.
  @inline(__always)
  fileprivate mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

/// Encoding of collections. A value of another type than the collection's is written as null.
extension StoredCollection {
  /// Encodes a list. The elements of a link collection are keys as ints.
  package static func encode(_ values: [Value], of type: ValueType) -> [UInt8] {
    var writer = CollectionWriter(type, capacity: values.count)
    for value in values { writer.append(value) }
    return writer.bytes()
  }

  /// Encodes a list of links.
  package static func encode(links keys: [Int]) -> [UInt8] {
    encode(words: keys)
  }

  /// Encodes a list of doubles.
  package static func encode(doubles: [Double]) -> [UInt8] {
    encode(words: doubles)
  }

  /// Calls `body` with an encoded list of doubles, without allocating an array for it. The bytes are
  /// valid during the call.
  package static func withEncoded(_ doubles: [Double], body: (UnsafeRawBufferPointer) -> Void) {
    guard !doubles.isEmpty else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    withUnsafeTemporaryAllocation(byteCount: 4 + doubles.count * 8, alignment: 8) { bytes in
      bytes.storeBytes(of: UInt32(doubles.count << 1), as: UInt32.self)
      doubles.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[4...]).copyMemory(from: $0)
      }
      body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Encodes a list of 8-byte elements without nulls.
  @inline(__always)
  private static func encode<Word: BitwiseCopyable>(words: [Word]) -> [UInt8] {
    assert(MemoryLayout<Word>.stride == 8, "the elements are not words")
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

  /// Encodes a set: sorted by value, without duplicates.
  package static func encode(set values: [Value], of type: ValueType) -> [UInt8] {
    encode(values.sortedOnce(by: Value.setOrder), of: type)
  }

  /// Encodes a map. Of entries with the same key the last one counts.
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

  /// Encodes a list of mixed values.
  package static func encode(_ elements: [Element]) -> [UInt8] {
    var writer = CollectionWriter(.mixed, capacity: elements.count)
    for element in elements { writer.append(element) }
    return writer.bytes()
  }

  /// Encodes a set of mixed values.
  package static func encode(set elements: [Element]) -> [UInt8] {
    encode(elements.sortedOnce(by: Element.setOrder))
  }

  /// Encodes a map of mixed values. Of entries with the same key the last one counts.
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
  /// The order within a set: the sort order; equal values of different types are ordered by type.
  package static func setOrder(_ a: Value, to b: Value) -> Ordering {
    let order = sortOrder(a, to: b)
    return order == .equal ? Ordering(a.type?.rawValue ?? 0, to: b.type?.rawValue ?? 0) : order
  }
}

extension Element {
  /// The order within a set: values, then lists, then maps.
  package static func setOrder(_ a: Element, to b: Element) -> Ordering {
    if case .value(let x) = a, case .value(let y) = b { return Value.setOrder(x, to: y) }
    let kinds = Ordering(a.rank, to: b.rank)
    guard kinds == .equal else { return kinds }
    return a.encoded().withUnsafeBytes { x in
      b.encoded().withUnsafeBytes { y in Ordering.between(x, and: y) }
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
  /// Returns the elements in that order; of equal elements only the first.
  fileprivate func sortedOnce(by order: (Element, Element) -> Ordering) -> [Element] {
    var result: [Element] = []
    for element in sorted(by: { order($0, $1) == .less }) {
      if let last = result.last, order(last, element) == .equal { continue }
      result.append(element)
    }
    return result
  }

  /// Returns the elements sorted by the bytes of their keys; of elements with equal keys only the
  /// last.
  fileprivate func sortedByKey(_ key: (Element) -> String) -> [Element] {
    let sorted = enumerated().sorted { a, b in
      let order = Ordering.between(key(a.element), and: key(b.element))
      return order == .equal ? a.offset < b.offset : order == .less
    }
    var result: [Element] = []
    for (_, entry) in sorted {
      if let last = result.last, Ordering.between(key(last), and: key(entry)) == .equal {
        result.removeLast()
      }
      result.append(entry)
    }
    return result
  }
}
