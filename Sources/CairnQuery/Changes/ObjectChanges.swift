import CairnStorage
import CairnValues

/// Which objects changed between two states, in what somebody observes of them.
///
/// Found from the changed rows back along the links, each class and each question once: all who are told of the same step
/// should share one. Confined to the thread of the states.
package final class ObjectChanges {
  package let log: ChangeLog
  private let links: BackLinks?
  private var deep: [DeepQuestion: KeyRuns] = [:]
  private var trees: [TreeQuestion: KeyRuns] = [:]

  private struct DeepQuestion: Hashable {
    let table: String
    let levels: Int
  }

  private struct TreeQuestion: Hashable {
    let table: String
    let tree: ReadTree
  }

  /// - Parameter links: what the same asker knows from the steps before, and takes up from this one.
  package init(_ log: ChangeLog, _ links: BackLinks? = nil) {
    self.log = log
    self.links = links
    links?.advance(log)
  }

  /// The objects of a class that live in both states, and changed in what is observed.
  package func modified(_ table: String, _ paths: ObservedPaths) -> KeyRuns {
    switch paths.choice {
    case .deep(let levels): deepRows(table, levels)
    case .tree(let tree): rows(table, tree)
    }
  }

  /// The properties of an object that were set between the states, embedded objects and links that lead nowhere any
  /// more among them: what changed in the objects behind it does not count.
  package func modifiedProperties(_ table: String, at key: Int) -> [ColumnSchema] {
    guard let now = log.new.table(table) else { return [] }
    let changes = log.changes(of: table)
    let columns = Set(changes.modified.filter { $0.keys.contains(key) }.flatMap(\.columns))
    return now.schema.properties.filter { column in
      if columns.contains(column.id) { return true }
      if column.type == .mixed {
        let deleted = byClass { log.changes(of: $0).deleted }
        return MixedOrigins(now, column).holds(key, deleted)
      }
      guard column.isLink, let target = column.target else { return false }
      let deleted = log.changes(of: target).deleted
      return !deleted.isEmpty
        && now.rawLinks(column.position, at: key).contains(where: deleted.contains)
    }
  }

  private func deepRows(_ table: String, _ levels: Int) -> KeyRuns {
    let question = DeepQuestion(table: table, levels: levels)
    if let known = deep[question] { return known }
    guard let now = log.new.table(table) else { return KeyRuns() }
    var tree = ReadTree()
    tree.hasEveryProperty = true
    var found = ownRows(now, tree)
    if levels > 0 {
      for column in now.schema.properties {
        if column.type == .mixed {
          let targets = byClass { deepRows($0, levels - 1) }
          found = found.union(MixedOrigins(now, column).rows(of: targets))
        } else if column.isLink, let target = column.target {
          found = found.union(origins(deepRows(target, levels - 1), now, column))
        }
      }
    }
    let settled = settled(found, table)
    deep[question] = settled
    return settled
  }

  /// The rows of a class that live in both states, and of which something changed that the tree reads.
  func rows(_ table: String, _ tree: ReadTree) -> KeyRuns {
    let question = TreeQuestion(table: table, tree: tree)
    if let known = trees[question] { return known }
    guard let now = log.new.table(table) else { return KeyRuns() }
    var found = ownRows(now, tree)
    for (id, below) in tree.links {
      guard let column = now.schema.columns.first(where: { $0.id == id }),
        let target = column.target
      else { continue }
      found = found.union(origins(rows(target, below), now, column))
    }
    for (inverse, below) in tree.inverses { found = found.union(targets(inverse, below, now)) }
    let settled = settled(found, table)
    trees[question] = settled
    return settled
  }

  private func settled(_ found: KeyRuns, _ table: String) -> KeyRuns {
    if found.isEmpty { return found }
    let changes = log.changes(of: table)
    return found.subtracting(changes.inserted).subtracting(changes.deleted)
  }

  /// Rows of which a column was set, or links to an object that is gone.
  private func ownRows(_ table: Table, _ tree: ReadTree) -> KeyRuns {
    let schema = table.schema
    var found = log.changes(of: schema.name).modified { tree.reads($0, of: schema) }
    for column in schema.properties where tree.reads(column.id, of: schema) {
      if column.type == .mixed {
        let deleted = byClass { log.changes(of: $0).deleted }
        found = found.union(MixedOrigins(table, column).rows(of: deleted))
      } else if column.isLink, let target = column.target {
        found = found.union(origins(log.changes(of: target).deleted, table, column))
      }
    }
    return found
  }

  /// Objects by the number of their class: of those that a mixed value can lead to.
  private func byClass(_ rows: (String) -> KeyRuns) -> [UInt32: KeyRuns] {
    var found: [UInt32: KeyRuns] = [:]
    for schema in log.new.schema.tables where !schema.isEmbedded {
      let keys = rows(schema.name)
      if !keys.isEmpty { found[schema.id] = keys }
    }
    return found
  }

  private func origins(_ targets: KeyRuns, _ table: Table, _ column: ColumnSchema) -> KeyRuns {
    if targets.isEmpty { return targets }
    return Origins(table, column, before: column.target.flatMap(log.old.table)).rows(of: targets) {
      links?.candidates(table, column, in: log.new.version)
    }
  }

  /// The rows to which other objects link than before, or objects that changed in what is read of them.
  private func targets(_ inverse: InverseSchema, _ below: ReadTree, _ table: Table) -> KeyRuns {
    guard let now = log.new.table(inverse.origin),
      let column = now.schema.column(named: inverse.property)
    else { return KeyRuns() }
    let changes = log.changes(of: inverse.origin)
    let set = changes.modified { $0 == column.id }
    var found = now.links(
      column.position, of: changes.inserted.union(set).union(rows(inverse.origin, below)))
    if let before = log.old.table(inverse.origin),
      let old = before.schema.columns.first(where: { $0.id == column.id })
    {
      found += before.links(old.position, of: changes.deleted.union(set))
    }
    return KeyRuns(rising: found.filter(table.isLive).sorted())
  }
}

extension Table {
  /// The keys that the links of a property name in these rows, of objects that are gone among them.
  fileprivate func links(_ position: Int, of keys: KeyRuns) -> [Int] {
    keys.keys.flatMap { rawLinks(position, at: $0) }
  }

  /// The keys that the links of a property name in a row, of objects that are gone among them.
  func rawLinks(_ position: Int, at key: Int) -> [Int] {
    var found: [Int] = []
    OneRow().select(key) { row in
      column(position).forEachLink(key >> ChunkShape.shift, row) { found.append($1) }
    }
    return found
  }
}
