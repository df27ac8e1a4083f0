import CairnSystem

/// Writes the features of one layer as a vector tile of version 2.1.
///
/// A feature is made of tags and of a geometry, whose coordinates are units of the tile. All memory
/// is used again for the next feature and for the next tile.
final class TileLayerEncoder {
  /// The types of a feature's geometry.
  enum GeometryType: UInt64, CaseIterable {
    case points = 1
    case lines = 2
    case polygons = 3
  }

  private let name: String
  private let extent: Int
  /// The names of the tags.
  private let keys: [String]
  /// The numbers of the keys in the layer; nil for keys that no feature has.
  private var keyNumbers: [Int?]
  private var usedKeys: [Int] = []
  private let values = DistinctBytes()
  private let features = ByteBuffer(capacity: 1 << 16)
  private let tags = ByteBuffer()
  private let value = ByteBuffer()
  /// The geometry of the present feature.
  let geometry = GeometryEncoder()
  /// The number of features.
  private(set) var featureCount = 0

  init(name: String, extent: Int, keys: [String]) {
    self.name = name
    self.extent = extent
    self.keys = keys
    keyNumbers = Array(repeating: nil, count: keys.count)
  }

  /// Removes all features.
  func removeAll() {
    keyNumbers = Array(repeating: nil, count: keys.count)
    usedKeys.removeAll(keepingCapacity: true)
    values.removeAll()
    features.removeAll()
    featureCount = 0
    removeTags()
  }

  /// Removes the tags, before those of another row.
  func removeTags() { tags.removeAll() }

  // MARK: Tags

  /// Adds a tag.
  func add(_ key: Int, text: UnsafeRawBufferPointer) {
    value.append(field: 1, bytes: text)
    endTag(key)
  }

  /// Adds a tag.
  func add(_ key: Int, text: String) {
    var text = text
    text.withUTF8 { add(key, text: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a tag.
  func add(_ key: Int, float: Float) {
    value.append(field: 2, .fixed32)
    value.append(fixed: float.bitPattern)
    endTag(key)
  }

  /// Adds a tag.
  func add(_ key: Int, double: Double) {
    value.append(field: 3, .fixed64)
    value.append(fixed: double.bitPattern)
    endTag(key)
  }

  /// Adds a tag.
  func add(_ key: Int, int: Int64) {
    if int >= 0 {
      value.append(field: 5, .varint)
      value.append(varint: UInt64(int))
    } else {
      value.append(field: 6, .varint)
      value.append(zigZag: Int(int))
    }
    endTag(key)
  }

  /// Adds a tag.
  func add(_ key: Int, flag: Bool) {
    value.append(field: 7, .varint)
    value.append(varint: flag ? 1 : 0)
    endTag(key)
  }

  private func endTag(_ key: Int) {
    tags.append(varint: UInt64(number(ofKey: key)))
    tags.append(varint: UInt64(values.number(of: value.contents)))
    value.removeAll()
  }

  private func number(ofKey key: Int) -> Int {
    if let number = keyNumbers[key] { return number }
    usedKeys.append(key)
    keyNumbers[key] = usedKeys.count - 1
    return usedKeys.count - 1
  }

  // MARK: Features

  /// Writes a feature with the present tags and geometry, and removes the geometry.
  func endFeature(_ type: GeometryType, id: UInt64?) {
    let (tags, geometry) = (tags.contents, geometry.contents)
    defer { self.geometry.removeAll() }
    let size =
      (id.map { 1 + ByteBuffer.size(ofVarint: $0) } ?? 0) + 2
      + (tags.isEmpty ? 0 : 1 + ByteBuffer.size(ofVarint: UInt64(tags.count)) + tags.count)
      + 1 + ByteBuffer.size(ofVarint: UInt64(geometry.count)) + geometry.count
    features.append(field: 2, .bytes)
    features.append(varint: UInt64(size))
    if let id {
      features.append(field: 1, .varint)
      features.append(varint: id)
    }
    if !tags.isEmpty { features.append(field: 2, bytes: tags) }
    features.append(field: 3, .varint)
    features.append(varint: type.rawValue)
    features.append(field: 4, bytes: geometry)
    featureCount += 1
  }

  /// The tile with this layer; no bytes without features.
  func tile() -> [UInt8] {
    guard featureCount > 0 else { return [] }
    let (head, tail, header) = (ByteBuffer(), ByteBuffer(), ByteBuffer(capacity: 16))
    head.append(field: 15, .varint)
    head.append(varint: 2)
    head.append(field: 1, text: name)
    for key in usedKeys { tail.append(field: 3, text: keys[key]) }
    for number in 0..<values.count { tail.append(field: 4, bytes: values[number]) }
    tail.append(field: 5, .varint)
    tail.append(varint: UInt64(extent))
    header.append(field: 3, .bytes)
    header.append(varint: UInt64(head.count + features.count + tail.count))
    let parts = [header, head, features, tail]
    let size = parts.reduce(0) { $0 + $1.count }
    return [UInt8](unsafeUninitializedCapacity: size) { target, count in
      let raw = UnsafeMutableRawBufferPointer(target)
      for part in parts {
        UnsafeMutableRawBufferPointer(rebasing: raw[count...]).copyMemory(from: part.contents)
        count += part.count
      }
    }
  }
}

/// A location in whole units of a tile.
typealias TilePoint = SIMD2<Int>

/// Writes the commands of one feature's geometry.
final class GeometryEncoder {
  private let commands = ByteBuffer()
  private var cursor = TilePoint(0, 0)

  /// The commands; valid until the next change.
  var contents: UnsafeRawBufferPointer { commands.contents }
  /// Whether no command was written.
  var isEmpty: Bool { commands.count == 0 }

  /// A state to return to.
  struct Mark {
    fileprivate let count: Int
    fileprivate let cursor: TilePoint
  }

  /// The present state.
  var mark: Mark { Mark(count: commands.count, cursor: cursor) }

  /// Removes what was written after a state.
  func removeAll(after mark: Mark) {
    commands.removeAll(from: mark.count)
    cursor = mark.cursor
  }

  /// Removes all commands.
  func removeAll() {
    commands.removeAll()
    cursor = TilePoint(0, 0)
  }

  private func append(command: UInt64, count: Int) {
    commands.append(varint: UInt64(count) << 3 | command)
  }

  @inline(__always)
  private func append(_ point: TilePoint) {
    commands.append(zigZag: point.x &- cursor.x)
    commands.append(zigZag: point.y &- cursor.y)
    cursor = point
  }

  /// Writes a point.
  @inline(__always)
  func append(point: TilePoint) {
    append(command: 1, count: 1)
    append(point)
  }

  /// Writes points.
  func append(points: UnsafeBufferPointer<TilePoint>) {
    guard !points.isEmpty else { return }
    append(command: 1, count: points.count)
    for point in points { append(point) }
  }

  /// Writes a line of at least two points.
  func append(line: UnsafeBufferPointer<TilePoint>) {
    assert(line.count >= 2, "a line has at least two points")
    append(command: 1, count: 1)
    append(line[0])
    append(command: 2, count: line.count - 1)
    for index in 1..<line.count { append(line[index]) }
  }

  /// Writes a ring of at least three points, without a repeated first one.
  ///
  /// - Parameter isReversed: Whether the points are written in the opposite order.
  func append(ring: UnsafeBufferPointer<TilePoint>, isReversed: Bool) {
    assert(ring.count >= 3, "a ring has at least three points")
    append(command: 1, count: 1)
    append(ring[0])
    append(command: 2, count: ring.count - 1)
    for index in 1..<ring.count { append(ring[isReversed ? ring.count - index : index]) }
    append(command: 7, count: 1)
  }
}
