import CairnStorage
import CairnValues

/// The objects that changed between two snapshots in their observed properties.
///
/// The search goes from the changed rows back along the links and runs once per class and question.
/// Observers of the same step should share one instance. It is confined to the thread of the
/// snapshots.
package final class ObjectChanges {
  /// The change log of the step.
  package let log: ChangeLog
  private let links: ReverseLinkLookup?
  private var deep: [DeepQuery: KeyRangeSet] = [:]
  private var trees: [TreeQuery: KeyRangeSet] = [:]

  private struct DeepQuery: Hashable {
    let table: String
    let levels: Int
  }

  private struct TreeQuery: Hashable {
    let table: String
    let tree: DependencySet
  }

  /// Creates the changes of a step.
  ///
  /// - Parameter links: The observer's reverse links from earlier steps, which are advanced by this
  ///   one.
  package init(_ log: ChangeLog, links: ReverseLinkLookup? = nil) {
    self.log = log
    self.links = links
    links?.advance(log)
  }

  /// The objects of a class that are live in both snapshots and changed in observed properties.
  package func modified(_ table: String, paths: ObservedPaths) -> KeyRangeSet {
    switch paths.choice {
    case .deep(let levels): deepRows(table, levels: levels)
    case .tree(let tree): rows(table, tree: tree)
    }
  }

  /// The properties of an object that were set between the snapshots. They include embedded
  /// objects, and links whose object was deleted. Changes in the objects behind links do not count.
  package func modifiedProperties(_ table: String, at key: Int) -> [ColumnSchema] {
    guard let now = log.new.table(table) else { return [] }
    let changes = log.changes(of: table)
    let columns = Set(changes.modified.filter { $0.keys.contains(key) }.flatMap(\.columns))
    return now.schema.properties.filter { column in
      if columns.contains(column.id) { return true }
      if column.type == .mixed {
        let deleted = byClass { log.changes(of: $0).deleted }
        return MixedReverseLinkSearch(now, column: column).holds(key, targets: deleted)
      }
      guard column.isLink, let target = column.target else { return false }
      let deleted = log.changes(of: target).deleted
      return !deleted.isEmpty
        && now.rawLinks(column.position, at: key).contains(where: deleted.contains)
    }
  }

  private func deepRows(_ table: String, levels: Int) -> KeyRangeSet {
    let question = DeepQuery(table: table, levels: levels)
    if let cached = deep[question] { return cached }
    guard let now = log.new.table(table) else { return KeyRangeSet() }
    var tree = DependencySet()
    tree.hasEveryProperty = true
    var found = ownRows(now, tree: tree)
    if levels > 0 {
      for column in now.schema.properties {
        if column.type == .mixed {
          let targets = byClass { deepRows($0, levels: levels - 1) }
          found = found.union(MixedReverseLinkSearch(now, column: column).rows(of: targets))
        } else if column.isLink, let target = column.target {
          found = found.union(
            linkingRows(deepRows(target, levels: levels - 1), table: now, column: column))
        }
      }
    }
    let liveInBoth = liveInBoth(found, table: table)
    deep[question] = liveInBoth
    return liveInBoth
  }

  /// The rows of a class that are live in both snapshots and changed in something that the tree
  /// reads.
  func rows(_ table: String, tree: DependencySet) -> KeyRangeSet {
    let question = TreeQuery(table: table, tree: tree)
    if let cached = trees[question] { return cached }
    guard let now = log.new.table(table) else { return KeyRangeSet() }
    var found = ownRows(now, tree: tree)
    for (id, below) in tree.links {
      guard let column = now.schema.columns.first(where: { $0.id == id }),
        let target = column.target
      else { continue }
      found = found.union(linkingRows(rows(target, tree: below), table: now, column: column))
    }
    for (inverse, below) in tree.inverses {
      found = found.union(targets(inverse, below: below, table: now))
    }
    let liveInBoth = liveInBoth(found, table: table)
    trees[question] = liveInBoth
    return liveInBoth
  }

  private func liveInBoth(_ found: KeyRangeSet, table: String) -> KeyRangeSet {
    if found.isEmpty { return found }
    let changes = log.changes(of: table)
    return found.subtracting(changes.inserted).subtracting(changes.deleted)
  }

  /// The rows in which a column was set, or that link to a deleted object.
  private func ownRows(_ table: Table, tree: DependencySet) -> KeyRangeSet {
    let schema = table.schema
    var found = log.changes(of: schema.name).modified { tree.reads($0, of: schema) }
    for column in schema.properties where tree.reads(column.id, of: schema) {
      if column.type == .mixed {
        let deleted = byClass { log.changes(of: $0).deleted }
        found = found.union(MixedReverseLinkSearch(table, column: column).rows(of: deleted))
      } else if column.isLink, let target = column.target {
        found = found.union(
          linkingRows(log.changes(of: target).deleted, table: table, column: column))
      }
    }
    return found
  }

  /// The objects that a mixed value can lead to, by the number of their class.
  private func byClass(_ rows: (String) -> KeyRangeSet) -> [UInt32: KeyRangeSet] {
    var found: [UInt32: KeyRangeSet] = [:]
    for schema in log.new.schema.tables where !schema.isEmbedded {
      let keys = rows(schema.name)
      if !keys.isEmpty { found[schema.id] = keys }
    }
    return found
  }

  private func linkingRows(_ targets: KeyRangeSet, table: Table, column: ColumnSchema)
    -> KeyRangeSet
  {
    if targets.isEmpty { return targets }
    return ReverseLinkSearch(table, column: column, before: column.target.flatMap(log.old.table))
      .rows(of: targets) {
        links?.candidates(table, column: column, in: log.new.version)
      }
  }

  /// The rows that gained or lost an incoming link, or whose linking objects changed in something
  /// that is read.
  private func targets(_ inverse: InverseSchema, below: DependencySet, table: Table) -> KeyRangeSet
  {
    guard let now = log.new.table(inverse.origin),
      let column = now.schema.column(named: inverse.property)
    else { return KeyRangeSet() }
    let changes = log.changes(of: inverse.origin)
    let set = changes.modified { $0 == column.id }
    var found = now.links(
      column.position, of: changes.inserted.union(set).union(rows(inverse.origin, tree: below)))
    if let before = log.old.table(inverse.origin),
      let old = before.schema.columns.first(where: { $0.id == column.id })
    {
      found += before.links(old.position, of: changes.deleted.union(set))
    }
    return KeyRangeSet(rising: found.filter(table.isLive).sorted())
  }
}

extension Table {
  /// The keys that the links of a property contain in these rows, including those of deleted
  /// objects.
  fileprivate func links(_ position: Int, of keys: KeyRangeSet) -> [Int] {
    keys.keys.flatMap { rawLinks(position, at: $0) }
  }

  /// The keys that the links of a property contain in a row, including those of deleted objects.
  func rawLinks(_ position: Int, at key: Int) -> [Int] {
    var found: [Int] = []
    OneRow().select(key) { row in
      column(position).forEachLink(RowAddress(key).chunk, rows: row) { found.append($1) }
    }
    return found
  }
}
