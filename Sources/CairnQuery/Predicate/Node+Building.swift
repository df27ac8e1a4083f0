extension Node {
  /// All of the conditions; those of an `and` among them take its place.
  package static func all(_ parts: [Node]) -> Node {
    if parts.count == 1 { return parts[0] }
    let flat = parts.flatMap { part in
      if case .and(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(true) : .and(flat)
  }

  /// Any of the conditions; those of an `or` among them take its place.
  package static func any(_ parts: [Node]) -> Node {
    if parts.count == 1 { return parts[0] }
    let flat = parts.flatMap { part in
      if case .or(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(false) : .or(flat)
  }
}

extension Predicate {
  /// All of the conditions.
  package static func all(_ parts: [Predicate]) -> Predicate {
    parts.count == 1 ? parts[0] : Predicate(Node.all(parts.map(\.root)))
  }
}
