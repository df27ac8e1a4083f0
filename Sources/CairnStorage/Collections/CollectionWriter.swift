import CairnValues

/// Gathers the elements of a collection, and puts them together as a row stores them.
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

  /// Adds the key of the element that follows.
  mutating func append(key: String) {
    keyTexts.append(contentsOf: key.utf8)
    keyEnds.append(little: UInt32(keyTexts.count))
  }

  /// Adds an element; one of another type is written as null.
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
    case .point(let place) where type == .point:
      for number in [place.longitude, place.latitude, place.altitude] {
        elements.append(little: number.bitPattern)
      }
    default: markNull()
    }
    finishElement()
  }

  /// Adds an element of a collection of mixed values.
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
    nulls.append(contentsOf: repeatElement(0, count: (count >> 3) + 1 - nulls.count))
    nulls[count >> 3] |= 1 << UInt8(count & 7)
    elements.append(contentsOf: repeatElement(0, count: StoredCollection.width(of: type)))
  }

  private mutating func finishElement() {
    if StoredCollection.width(of: type) == 0 { ends.append(little: UInt32(elements.count)) }
    count += 1
  }

  /// What a row stores; nothing for a collection without elements.
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
