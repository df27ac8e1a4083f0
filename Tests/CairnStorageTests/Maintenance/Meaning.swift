import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Rows as texts, in which links are replaced by the objects that they lead to.
struct Meaning {
  private let snapshot: Snapshot

  /// The live rows of each class, independent of their keys.
  static func rows(_ folder: TemporaryFolder) throws -> [String: [String]] {
    let snapshot = try folder.store(.readOnly).snapshot()
    let reader = Meaning(snapshot: snapshot)
    var rows: [String: [String]] = [:]
    for schema in snapshot.schema.tables {
      let table = snapshot.table(schema)
      rows[schema.name] = (0..<table.endKey).filter(table.isLive)
        .map { reader.text(table, $0, depth: 3) }.sorted()
    }
    return rows
  }

  /// Expects that a store has the same content as before.
  static func expect(
    _ before: [String: [String]], _ folder: TemporaryFolder, _ comment: String
  ) throws {
    let after = try rows(folder)
    #expect(Set(before.keys) == Set(after.keys))
    for (name, rows) in before { #expect(after[name] == rows, "\(comment): \(name)") }
  }

  private func text(_ table: Table, _ key: Int, depth: Int) -> String {
    guard depth > 0 else { return "…" }
    let cells = table.schema.columns.map { cell(table, $0, key, depth: depth) }
    return "\(table.schema.name)(\(cells.joined(separator: ", ")))"
  }

  private func cell(_ table: Table, _ column: ColumnSchema, _ key: Int, depth: Int) -> String {
    let value = table.value(column.position, at: key)
    switch column.role {
    case .ownerKey:
      guard let owner = table.owner(of: key), let other = table.sibling(id: owner.table) else {
        return "no owner"
      }
      return "of " + text(other, owner.key, depth: depth - 1)
    case .ownerColumn, .point, .bounds, .computed: return value.quickText
    case .property: break
    }
    if column.isLink { return links(table, column, key, depth: depth) }
    if column.type == .mixed {
      return "\(table.mixedLinks(column.position, at: key).count) links, \(value)"
    }
    return value.quickText
  }

  private func links(
    _ table: Table, _ column: ColumnSchema, _ key: Int, depth: Int
  ) -> String {
    guard let target = table.target(of: column.position) else { return "nowhere" }
    func text(_ key: Int) -> String? {
      target.isLive(key) ? self.text(target, key, depth: depth - 1) : nil
    }
    guard column.collection != .none else {
      return table.link(column.position, at: key).flatMap(text) ?? "nil"
    }
    let chunk = table.column(column.position).chunk(key >> ChunkShape.shift)
    let stored = chunk.collection(at: key & (ChunkShape.rows - 1), of: column)
    let found = (0..<stored.count).map {
      stored.isNull(at: $0) ? nil : text(Int(stored.int(at: $0)))
    }
    switch column.collection {
    case .map: return "\((0..<stored.count).map { stored.keyText(at: $0) + (found[$0] ?? "nil") })"
    case .set: return "\(found.compactMap { $0 }.sorted())"
    default: return "\(found.compactMap { $0 })"
    }
  }
}

extension Value {
  /// A text that is another one for another value. The interpolation of an enumeration is slow.
  fileprivate var quickText: String {
    switch self {
    case .null: "null"
    case .int(let number): String(number)
    case .double(let number): "double " + String(number.bitPattern)
    case .string(let text): "'" + text + "'"
    case .point(let place):
      "point " + String(place.latitude.bitPattern) + " " + String(place.longitude.bitPattern) + " "
        + String(place.altitude.bitPattern)
    default: "\(self)"
    }
  }
}
