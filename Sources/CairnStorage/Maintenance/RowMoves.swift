import CairnValues

/// Moves the rows of one column to their new keys, and replaces keys in their values.
struct RowMoves {
  private let table: Table
  private let column: ColumnSchema
  private let maps: [UInt32: KeyMap]
  private let map: KeyMap
  private let source: Column
  private let rule: LargeValueRule?

  init(_ table: Table, column: ColumnSchema, maps: [UInt32: KeyMap], map: KeyMap) {
    self.table = table
    self.column = column
    self.maps = maps
    self.map = map
    source = table.column(column.position)
    rule = LargeValueRule(
      column.layout, isGeometry: column.isGeometry, format: Store.formatVersion)
  }

  /// The large values of a chunk, in the order of their rows. They are valid until the snapshot ends, and
  /// while this lives.
  struct LargeValues {
    fileprivate(set) var values: [(row: Int, value: UnsafeRawBufferPointer)] = []
    /// The values that were rewritten.
    fileprivate var rewritten: [OwnedBytes] = []
  }

  /// Fills a buffer with the rows of a new chunk, and returns the large values, to which the rows
  /// refer.
  func fill(_ buffer: ChunkBuffer, chunk: Int) -> LargeValues {
    buffer.removeAll()
    let rows = chunk * ChunkShape.rows..<min(map.count, (chunk + 1) * ChunkShape.rows)
    buffer.count = rows.count
    var large = LargeValues()
    for (row, key) in rows.enumerated() {
      move(Int(map.order[key]), to: row, in: buffer, large: &large)
    }
    return large
  }

  private func move(
    _ old: Int, to row: Int, in buffer: ChunkBuffer, large: inout LargeValues
  ) {
    let chunk = source.chunk(RowAddress(old).chunk)
    let from = RowAddress(old).row
    guard !chunk.isNull(from) else {
      buffer.setNull(true, at: row)
      return buffer.clear(row)
    }
    buffer.setNull(false, at: row)
    switch buffer.layout {
    case .integers: setInteger(chunk.int(at: from), old: old, at: row, in: buffer)
    case .doubles: buffer.doubles[row] = chunk.double(at: from)
    case .floats: buffer.floats[row] = chunk.float(at: from)
    case .fixed: buffer.setFixed(chunk.bytes(at: from), at: row)
    case .points: buffer.setPoint(chunk.position(at: from), at: row)
    case .bytes: setBytes(chunk.bytes(at: from), at: row, in: buffer, large: &large)
    }
  }

  private func setInteger(_ number: Int64, old: Int, at row: Int, in buffer: ChunkBuffer) {
    if column.isLink {
      guard let key = target?.key(of: Int(number)) else {
        buffer.setNull(true, at: row)
        return buffer.clear(row)
      }
      buffer.integers[row] = Int64(key)
    } else if column.role == .ownerKey {
      let owner = table.owner(of: old)
      let key = owner.flatMap { maps[$0.table]?.key(of: $0.key) }
      buffer.integers[row] = key.map(Int64.init) ?? number
    } else {
      buffer.integers[row] = number
    }
  }

  private var target: KeyMap? {
    table.target(of: column.position).flatMap { maps[$0.id] }
  }

  private func setBytes(
    _ bytes: UnsafeRawBufferPointer, at row: Int, in buffer: ChunkBuffer, large: inout LargeValues
  ) {
    guard let rewritten = rewritten(bytes) else {
      guard let reference = rule?.reference(to: bytes) else {
        return buffer.setBytes(bytes, at: row)
      }
      buffer.memory.setReference(reference, at: row)
      return large.values.append((row, bytes))
    }
    rewritten.withUnsafeBytes { bytes in
      guard let reference = rule?.reference(to: bytes) else {
        return buffer.setBytes(bytes, at: row)
      }
      let value = OwnedBytes(bytes)
      buffer.memory.setReference(reference, at: row)
      large.rewritten.append(value)
      large.values.append((row, value.bytes))
    }
    if rewritten.isEmpty, column.collection == .none { buffer.setNull(true, at: row) }
  }

  /// Returns a collection of links, or mixed values with links, with new keys; nil if nothing
  /// changes.
  private func rewritten(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard column.isLink || column.type == .mixed else { return nil }
    guard column.collection != .none else { return rewrittenMixed(bytes) }
    let stored = StoredCollection(bytes, of: column.type, isMap: column.collection == .map)
    return column.isLink ? rewrittenLinks(stored) : rewrittenMixed(stored)
  }

  /// Lists and sets lose links to deleted objects, which are invisible anyway; a map keeps their
  /// entries with null.
  private func rewrittenLinks(_ stored: StoredCollection) -> [UInt8] {
    let target = target
    func key(_ index: Int) -> Int? {
      stored.isNull(at: index) ? nil : target?.key(of: Int(stored.int(at: index)))
    }
    switch column.collection {
    case .map:
      return StoredCollection.encode(
        map: (0..<stored.count).map { index in
          (stored.keyText(at: index), key(index).map { .int(Int64($0)) } ?? .null)
        }, of: column.type)
    case .set:
      return StoredCollection.encode(
        set: (0..<stored.count).compactMap(key).map { .int(Int64($0)) }, of: column.type)
    default: return StoredCollection.encode(links: (0..<stored.count).compactMap(key))
    }
  }

  private func rewrittenMixed(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let element = try? Element(decoding: bytes), !element.links.isEmpty else { return nil }
    let moved = moved(element)
    return moved == .value(.null) ? [] : moved.encoded()
  }

  private func rewrittenMixed(_ stored: StoredCollection) -> [UInt8]? {
    let elements = (0..<stored.count).map(stored.element)
    guard elements.contains(where: { !$0.links.isEmpty }) else { return nil }
    let all = elements.map(moved)
    switch column.collection {
    case .map:
      return StoredCollection.encode(
        map: all.indices.map { Element.Entry(key: stored.keyText(at: $0), value: all[$0]) })
    case .set: return StoredCollection.encode(set: all)
    default: return StoredCollection.encode(all)
    }
  }

  /// Returns the element with new keys. A link to a deleted object becomes null.
  private func moved(_ element: Element) -> Element {
    switch element {
    case .value(.link(let link)):
      let key = maps[link.table]?.key(of: link.key)
      return .value(key.map { .link(Link(table: link.table, key: $0)) } ?? .null)
    case .value: return element
    case .list(let elements): return .list(elements.map(moved))
    case .map(let entries):
      return .map(entries.map { Element.Entry(key: $0.key, value: moved($0.value)) })
    }
  }
}

/// The new keys of a class's live objects: first those with a location, along the Hilbert curve,
/// then the others in their old order.
struct KeyMap {
  /// The old key of each new one.
  let order: [UInt32]
  /// The new key of each old one; `noKey` for deleted rows.
  private let newKeys: [UInt32]
  /// The location that determines the order; nil if the class has none.
  let location: ColumnSchema?
  /// The number of objects with that location, which are the first ones.
  let located: Int

  private static let noKey = UInt32.max

  var count: Int { order.count }

  init(_ table: Table) throws(StoreError) {
    guard table.endKey < Int(Self.noKey) else {
      throw StoreError(
        .full,
        message: "class '\(table.schema.name)' has used \(table.endKey) keys, too many to compact")
    }
    location = Self.location(of: table)
    let live = (0..<table.endKey).filter(table.isLive).map(UInt32.init)
    if let location {
      let column = table.column(location.position)
      let (first, rest) = Self.split(live) { key in
        !column.chunk(RowAddress(key).chunk).isNull(RowAddress(key).row)
      }
      let keys = Self.hilbertKeys(location.entryType, of: column, at: first)
      let sorted = keys.withUnsafeBufferPointer { RadixSort.order($0) }
      order = sorted.map { first[Int($0)] } + rest
      located = first.count
    } else {
      order = live
      located = 0
    }
    var new = [UInt32](repeating: Self.noKey, count: table.endKey)
    for (key, old) in order.enumerated() { new[Int(old)] = UInt32(key) }
    newKeys = new
  }

  /// Returns the location that the rows are already clustered by, otherwise the first one.
  private static func location(of table: Table) -> ColumnSchema? {
    let clusteredColumn = table.state.spatialRuns.first(where: \.isBaseRun)?.column
    return table.schema.columns.first { $0.id == clusteredColumn && $0.hasSpatialIndex }
      ?? table.schema.columns.first(where: \.hasSpatialIndex)
  }

  private static func hilbertKeys<Entry: SpatialEntry>(
    _ type: Entry.Type, of column: Column, at keys: [UInt32]
  ) -> [UInt64] {
    keys.map { key in
      let address = RowAddress(Int(key))
      let rows = Entry.rows(of: column.chunk(address.chunk))
      return Entry(rows, at: address.row, key: Int(key)).hilbertKey
    }
  }

  private static func split(
    _ keys: [UInt32], isFirst: (Int) -> Bool
  ) -> ([UInt32], [UInt32]) {
    var first: [UInt32] = []
    var rest: [UInt32] = []
    for key in keys {
      if isFirst(Int(key)) { first.append(key) } else { rest.append(key) }
    }
    return (first, rest)
  }

  /// Returns the new key of an object; nil if it was deleted or never existed.
  func key(of old: Int) -> Int? {
    guard old >= 0, old < newKeys.count, newKeys[old] != Self.noKey else { return nil }
    return Int(newKeys[old])
  }
}
