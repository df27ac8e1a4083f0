import CairnStorage
import CairnValues

/// An oracle for changed objects: it reads every observed value in both states and compares them.
final class ObjectOracle {
  private let old: Snapshot
  private let new: Snapshot
  /// The values already read, of the older and the newer state.
  private var texts: [[Question: String]] = [[:], [:]]

  private struct Question: Hashable {
    let table: UInt32
    let key: Int
    let levels: Int
  }

  init(_ old: Snapshot, _ new: Snapshot) {
    self.old = old
    self.new = new
  }

  /// Returns whether an object changed.
  ///
  /// - Parameter paths: the observed key paths; nil for everything, four levels deep.
  func isModified(_ table: String, _ key: Int, _ paths: [String]?) -> Bool {
    guard let before = old.table(table), let now = new.table(table) else { return false }
    guard let paths else { return text(0, before, key, 4) != text(1, now, key, 4) }
    return paths.contains { path in
      let names = path.split(separator: ".").map(String.init)
      return text(before, key, names[...]) != text(now, key, names[...])
    }
  }

  /// The text of an object and of the objects that it links to.
  private func text(_ state: Int, _ table: Table, _ key: Int, _ levels: Int) -> String {
    let question = Question(table: table.schema.id, key: key, levels: levels)
    if let known = texts[state][question] { return known }
    var text = ""
    for column in table.schema.properties {
      text += own(table, column, key) + ";"
      guard levels > 0 else { continue }
      for (target, found) in behind(table, column, key) {
        // A short name for a text that may be long; equal texts have equal names in both states.
        text += "(" + number(of: self.text(state, target, found, levels - 1)) + ")"
      }
    }
    texts[state][question] = text
    return text
  }

  private var numbers: [String: String] = [:]

  private func number(of text: String) -> String {
    if let known = numbers[text] { return known }
    let made = "\(numbers.count)"
    numbers[text] = made
    return made
  }

  /// The text of the values at a key path of an object.
  private func text(_ table: Table, _ key: Int, _ names: ArraySlice<String>) -> String {
    guard let name = names.first else { return "" }
    if name == "*" {
      return table.schema.properties.map { own(table, $0, key) }.joined(separator: ";")
    }
    var text = ""
    var next: [(Table, Int)] = []
    if let column = table.schema.column(named: name) {
      text = own(table, column, key)
      next = behind(table, column, key)
    } else if let inverse = table.schema.inverse(named: name),
      let origin = table.sibling(named: inverse.origin),
      let column = origin.schema.column(named: inverse.property)
    {
      let sources = (0..<origin.endKey).filter { source in
        origin.isLive(source)
          && behind(origin, column, source).contains { $0.1 == key }
      }
      text = "\(sources)"
      next = sources.map { (origin, $0) }
    }
    for (target, found) in next { text += "(" + self.text(target, found, names.dropFirst()) + ")" }
    return text
  }

  /// The text of a stored property, with links to deleted objects marked.
  private func own(_ table: Table, _ column: ColumnSchema, _ key: Int) -> String {
    if column.isLink { return "\(links(table, column, key))" }
    let value = table.value(column.position, at: key)
    guard column.type == .mixed, case .data(let bytes) = value else { return "\(value)" }
    guard column.collection != .none else {
      return bytes.withUnsafeBytes {
        "\((try? Element(decoding: $0)).map { living($0, table) } ?? "")"
      }
    }
    return bytes.withUnsafeBytes { bytes in
      let elements = StoredCollection(bytes, of: .mixed, isMap: column.collection == .map)
      return (0..<elements.count).map { index in
        (column.collection == .map ? elements.keyText(at: index) : "")
          + living(elements.element(at: index), table)
      }.joined(separator: ",")
    }
  }

  /// The text of a mixed value, with links to deleted objects marked.
  private func living(_ element: Element, _ table: Table) -> String {
    switch element {
    case .value(.link(let link)):
      table.sibling(id: link.table)?.isLive(link.key) == true ? "\(link)" : "dead \(link)"
    case .value(let value): "\(value)"
    case .list(let parts): "[\(parts.map { living($0, table) })]"
    case .map(let entries): "{\(entries.map { $0.key + living($0.value, table) })}"
    }
  }

  /// The keys in a link property.
  private func links(_ table: Table, _ column: ColumnSchema, _ key: Int) -> [String] {
    guard let target = table.target(of: column.position) else { return [] }
    let text = { (found: Int) in target.isLive(found) ? "\(found)" : "dead \(found)" }
    guard column.collection != .none else {
      guard case .int(let found) = table.value(column.position, at: key) else { return ["null"] }
      return [text(Int(found))]
    }
    let isMap = column.collection == .map
    return collection(table, column, key) { elements in
      (0..<elements.count).map { index in
        (isMap ? elements.keyText(at: index) + ":" : "")
          + (elements.isNull(at: index) ? "null" : text(Int(elements.int(at: index))))
      }
    }
  }

  private func collection<R>(
    _ table: Table, _ column: ColumnSchema, _ key: Int, _ body: (StoredCollection) -> R
  ) -> R {
    let chunk = table.column(column.position).chunk(key >> ChunkShape.shift)
    return body(chunk.collection(at: key & (ChunkShape.rows - 1), of: column))
  }

  /// The live objects that a property links to.
  private func behind(_ table: Table, _ column: ColumnSchema, _ key: Int) -> [(Table, Int)] {
    if column.type == .mixed { return mixedObjects(table, column, key) }
    guard column.isLink, let target = table.target(of: column.position) else { return [] }
    var keys: [Int] = []
    if column.collection == .none {
      if case .int(let found) = table.value(column.position, at: key) { keys = [Int(found)] }
    } else {
      keys = collection(table, column, key) { elements in
        (0..<elements.count).compactMap {
          elements.isNull(at: $0) ? nil : Int(elements.int(at: $0))
        }
      }
    }
    return keys.filter(target.isLive).map { (target, $0) }
  }

  private func mixedObjects(_ table: Table, _ column: ColumnSchema, _ key: Int) -> [(Table, Int)] {
    guard case .data(let bytes) = table.value(column.position, at: key) else { return [] }
    return bytes.withUnsafeBytes { bytes in
      guard column.collection != .none else {
        return (try? Element(decoding: bytes)).map { objects(in: $0, table) } ?? []
      }
      let elements = StoredCollection(bytes, of: .mixed, isMap: column.collection == .map)
      return (0..<elements.count).flatMap { objects(in: elements.element(at: $0), table) }
    }
  }

  private func objects(in element: Element, _ table: Table) -> [(Table, Int)] {
    switch element {
    case .value(.link(let link)):
      guard let target = table.sibling(id: link.table), target.isLive(link.key) else { return [] }
      return [(target, link.key)]
    case .value: return []
    case .list(let parts): return parts.flatMap { objects(in: $0, table) }
    case .map(let entries): return entries.flatMap { objects(in: $0.value, table) }
    }
  }
}
