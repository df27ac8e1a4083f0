import CairnStorage

extension ReadTree {
  /// What a condition reads of an object of a class, which it is bound to.
  init(_ node: Node, of table: Table) {
    self.init()
    add(node, of: table)
  }

  private mutating func add(_ node: Node, of table: Table) {
    switch node {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { add(part, of: table) }
    case .not(let part): add(part, of: table)
    case .compare(let subject, _, let operand, _), .match(let subject, _, let operand, _):
      add(subject, of: table)
      if case .subject(let other) = operand { add(other, of: table) }
    case .between(let subject, _, _), .isIn(let subject, _, _): add(subject, of: table)
    case .within(let path, _):
      // An object in the shape of a location says by its own properties where it is.
      add(
        ReadTree(path.components[...], of: table) { _ in
          var whole = ReadTree()
          whole.hasEveryProperty = true
          return whole
        })
    }
  }

  private mutating func add(_ subject: Subject, of table: Table) {
    switch subject {
    case .path(let path): add(path, of: table)
    case .aggregate(_, let path, let below):
      add(
        ReadTree(path.components[...], of: table) { end in
          below.map { ReadTree($0.components[...], of: end) } ?? ReadTree()
        })
    case .count(let path, let condition):
      add(
        ReadTree(path.components[...], of: table) { end in
          condition.map { ReadTree($0, of: end) } ?? ReadTree()
        })
    }
  }

  mutating func add(_ path: PropertyPath, of table: Table) {
    add(ReadTree(path.components[...], of: table))
  }

  /// What an order reads.
  mutating func add(_ keys: [SortKey], of table: Table) {
    for key in keys {
      switch key {
      case .property(let path, _), .distance(let path, _, _, _): add(path, of: table)
      }
    }
  }

  /// What the way along a path reads, and what is read at its end where that is an object.
  private init(
    _ path: ArraySlice<PropertyPath.Component>, of table: Table,
    end: (Table) -> ReadTree = { _ in ReadTree() }
  ) {
    self.init()
    guard case .property(let name)? = path.first else { return }
    let rest = path.dropFirst().drop { if case .property = $0 { false } else { true } }
    func below(_ next: Table) -> ReadTree {
      rest.isEmpty ? end(next) : ReadTree(rest, of: next, end: end)
    }
    if let column = table.schema.column(named: name) {
      columns.insert(column.id)
      if let point = table.schema.point(for: column) { columns.insert(point.id) }
      if let target = table.target(of: column.position) { links[column.id] = below(target) }
    } else if let inverse = table.schema.inverse(named: name),
      let origin = table.sibling(named: inverse.origin)
    {
      inverses[inverse] = below(origin)
    }
  }
}
