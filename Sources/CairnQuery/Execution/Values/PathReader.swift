import CairnStorage
import CairnValues

/// Reads the values that a path leads to, row by row: for conditions that no chunk-wise filter speaks for.
final class PathReader: @unchecked Sendable {
  let route: Route
  private let mixed: MixedValues?

  init(_ route: Route) {
    self.route = route
    mixed = route.isMixed ? MixedValues(route.endTable, route.below) : nil
  }

  /// Calls `body` with every value, null where a link on the way to it is null, until it says no; whether it never did.
  func forEach(_ key: Int, _ body: (Value) -> Bool) -> Bool { walk(0, key, body) }

  /// The one value of a path that passes no collection.
  func value(_ key: Int) -> Value {
    var found = Value.null
    _ = forEach(key) { value in
      found = value
      return false
    }
    return found
  }

  /// Calls `body` with every mixed value, collections as what they are, until it says no; whether it never did.
  func forEachElement(_ key: Int, _ body: (Element) -> Bool) -> Bool { walkElements(0, key, body) }

  private func walkElements(_ place: Int, _ key: Int, _ body: (Element) -> Bool) -> Bool {
    guard place < route.hops.count else { return readElements(key, body) }
    return route.hops[place].forEach(key) { target in
      if let target { return walkElements(place + 1, target, body) }
      return route.isMany(behind: place) || body(.value(.null))
    }
  }

  /// The mixed values of an object at the end of the hops.
  private func readElements(_ key: Int, _ body: (Element) -> Bool) -> Bool {
    guard let mixed, let column = route.end.column else { return body(.value(.null)) }
    let row = key & (ChunkShape.rows - 1)
    let chunk = column.chunk(key >> ChunkShape.shift)
    func read(_ elements: StoredCollection, _ place: Int) -> Bool {
      mixed.forEachElement(elements.isNull(at: place) ? nil : elements.bytes(at: place), body)
    }
    switch route.end {
    case .elements:
      let elements = chunk.collection(at: row, of: column.schema)
      return (0..<elements.count).allSatisfy { read(elements, $0) }
    case .entry(_, let key):
      let map = chunk.collection(at: row, of: column.schema)
      return map.place(ofKey: key).map { read(map, $0) } ?? mixed.forEachElement(nil, body)
    case .column, .object, .keys:
      return mixed.forEachElement(chunk.isRowNull(row) ? nil : chunk.rowBytes(row), body)
    }
  }

  private func walk(_ place: Int, _ key: Int, _ body: (Value) -> Bool) -> Bool {
    guard place < route.hops.count else { return read(key, body) }
    return route.hops[place].forEach(key) { target in
      if let target { return walk(place + 1, target, body) }
      return route.isMany(behind: place) || body(.null)
    }
  }

  /// The values of an object at the end of the hops.
  private func read(_ key: Int, _ body: (Value) -> Bool) -> Bool {
    let row = key & (ChunkShape.rows - 1)
    let index = key >> ChunkShape.shift
    switch route.end {
    case .object: return body(.link(Link(table: route.endTable.schema.id, key: key)))
    case .column(let column):
      let chunk = column.chunk(index)
      if let mixed {
        return mixed.forEach(chunk.isRowNull(row) ? nil : chunk.rowBytes(row), body)
      }
      return body(chunk.value(at: row, type: column.schema.type))
    case .elements(let column):
      let elements = column.chunk(index).collection(at: row, of: column.schema)
      return (0..<elements.count).allSatisfy { read(elements, $0, body) }
    case .entry(let column, let key):
      let map = column.chunk(index).collection(at: row, of: column.schema)
      guard let place = map.place(ofKey: key) else {
        return mixed?.forEach(nil, body) ?? body(.null)
      }
      return read(map, place, body)
    case .keys(let column):
      let map = column.chunk(index).collection(at: row, of: column.schema)
      return (0..<map.count).allSatisfy { body(.string(map.keyText(at: $0))) }
    }
  }

  private func read(
    _ elements: StoredCollection, _ place: Int, _ body: (Value) -> Bool
  ) -> Bool {
    guard let mixed else { return body(elements.value(at: place)) }
    return mixed.forEach(elements.isNull(at: place) ? nil : elements.bytes(at: place), body)
  }

  /// How many objects or values there are.
  func count(_ key: Int) -> Int {
    var total = 0
    forEachEnd(0, key) { total += $0.map(countAtEnd) ?? 1 }
    return total
  }

  /// Calls `body` with every object that the hops lead to, and nil for every null value of a map there.
  func forEachObject(_ key: Int, _ body: (Int) -> Void) {
    forEachEnd(0, key) { if let found = $0 { body(found) } }
  }

  private func forEachEnd(_ place: Int, _ key: Int, _ body: (Int?) -> Void) {
    guard place < route.hops.count else { return body(key) }
    let hop = route.hops[place]
    _ = hop.forEach(key) { target in
      if let target {
        forEachEnd(place + 1, target, body)
      } else if hop.isMany, place + 1 == route.hops.count {
        body(nil)
      }
      return true
    }
  }

  private func countAtEnd(_ key: Int) -> Int {
    switch route.end {
    case .object: return 1
    case .elements(let column) where route.below.isEmpty, .keys(let column):
      return column.chunk(key >> ChunkShape.shift)
        .collection(at: key & (ChunkShape.rows - 1), of: column.schema).count
    case .column, .elements, .entry:
      var total = 0
      _ = read(key) { _ in
        total += 1
        return true
      }
      return total
    }
  }

  /// Resolves on the snapshot's own thread what other threads will read for rows of these chunks.
  func prepare(_ chunks: [Int]) {
    for hop in route.hops { hop.prepare() }
    mixed?.prepare()
    guard let column = route.end.column else { return }
    if route.hops.isEmpty {
      for chunk in chunks { _ = column.chunk(chunk) }
    } else {
      column.prepareAll(of: route.endTable)
    }
  }
}
