import CairnValues

/// Brings the rows of one column to their new keys, with the keys that stand in them.
struct RowMoves {
  private let table: Table
  private let column: ColumnSchema
  private let maps: [UInt32: KeyMap]
  private let map: KeyMap
  private let source: Column

  init(_ table: Table, _ column: ColumnSchema, _ maps: [UInt32: KeyMap], _ map: KeyMap) {
    self.table = table
    self.column = column
    self.maps = maps
    self.map = map
    source = table.column(column.position)
  }

  /// Fills a buffer with the rows that a new chunk holds.
  func fill(_ buffer: ChunkBuffer, chunk: Int) {
    buffer.removeAll()
    let rows = chunk * ChunkShape.rows..<min(map.count, (chunk + 1) * ChunkShape.rows)
    buffer.count = rows.count
    for (row, key) in rows.enumerated() { move(Int(map.order[key]), to: row, in: buffer) }
  }

  private func move(_ old: Int, to row: Int, in buffer: ChunkBuffer) {
    let chunk = source.chunk(old >> ChunkShape.shift)
    let from = old & (ChunkShape.rows - 1)
    guard !chunk.isNull(from) else {
      buffer.setNull(true, at: row)
      return buffer.clear(row)
    }
    buffer.setNull(false, at: row)
    switch buffer.layout {
    case .integers: setInteger(chunk.int(at: from), old, at: row, in: buffer)
    case .doubles: buffer.doubles[row] = chunk.double(at: from)
    case .floats: buffer.floats[row] = chunk.float(at: from)
    case .fixed: buffer.setFixed(chunk.bytes(at: from), at: row)
    case .points: buffer.setPoint(chunk.position(at: from), at: row)
    case .bytes: setBytes(chunk.bytes(at: from), at: row, in: buffer)
    }
  }

  private func setInteger(_ number: Int64, _ old: Int, at row: Int, in buffer: ChunkBuffer) {
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
    _ bytes: UnsafeRawBufferPointer, at row: Int, in buffer: ChunkBuffer
  ) {
    guard let rewritten = rewritten(bytes) else { return buffer.setBytes(bytes, at: row) }
    rewritten.withUnsafeBytes { buffer.setBytes($0, at: row) }
    if rewritten.isEmpty, column.collection == .none { buffer.setNull(true, at: row) }
  }

  /// A collection of links, or mixed values that hold some, with the new keys; nil: stays as it is.
  private func rewritten(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard column.isLink || column.type == .mixed else { return nil }
    guard column.collection != .none else { return rewrittenMixed(bytes) }
    let stored = StoredCollection(bytes, of: column.type, isMap: column.collection == .map)
    return column.isLink ? rewrittenLinks(stored) : rewrittenMixed(stored)
  }

  /// Lists and sets lose links to what is dead, as nobody sees them; a map keeps the key, without an object.
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

  /// The same element with the new keys; a link to what is dead becomes null.
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
