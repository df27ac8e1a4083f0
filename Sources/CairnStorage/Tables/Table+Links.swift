import CairnValues

extension Table {
  /// The class that the links of a property lead to, in the same state; nil when the property holds none.
  package func target(of position: Int) -> Table? {
    if let known = targets[position] { return set.table(at: known) }
    guard let name = schema.columns[position].target, let place = set.place(of: name) else {
      return nil
    }
    targets[position] = place
    return set.table(at: place)
  }

  /// The class of that name in the same state.
  package func sibling(named name: String) -> Table? {
    set.place(of: name).map(set.table)
  }

  /// The class of that number in the same state.
  package func sibling(id: UInt32) -> Table? { set.place(id: id).map(set.table) }

  /// The object that a row links to; nil when it links to none, or to one that was deleted.
  package func link(_ position: Int, at key: Int) -> Int? {
    let chunk = column(position).chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard !chunk.isNull(row) else { return nil }
    let found = Int(chunk.int(at: row))
    guard let target = target(of: position), target.isLive(found) else { return nil }
    return found
  }

  /// The objects of this class that link to an object through a property: rising, each as often as its collection
  /// holds the object. None when that object was deleted.
  package func sources(of key: Int, through position: Int) -> [Int] {
    guard let target = target(of: position), target.isLive(key) else { return [] }
    let column = schema.columns[position]
    if column.type == .embedded { return owner(through: column, of: key, in: target) }
    guard let index = valueIndex(position) else {
      return sources(of: key, through: position, among: 0..<endKey)
    }
    var candidates: [Int] = []
    index.candidates(ValueRange(equal: .int(Int64(key)))) { source in
      candidates.append(source)
      return true
    }
    return sources(of: key, through: position, among: Set(candidates).sorted())
  }

  /// Those among the rows that live and link to an object.
  private func sources(
    of key: Int, through position: Int, among rows: some Sequence<Int>
  ) -> [Int] {
    let schema = schema.columns[position]
    let column = column(position)
    var found: [Int] = []
    for source in rows where isLive(source) {
      let chunk = column.chunk(source >> ChunkShape.shift)
      let row = source & (ChunkShape.rows - 1)
      guard !chunk.isNull(row) else { continue }
      if schema.collection == .none {
        if Int(chunk.int(at: row)) == key { found.append(source) }
        continue
      }
      let links = chunk.collection(at: row, of: schema)
      for place in 0..<links.count
      where !links.isNull(at: place) && Int(links.int(at: place)) == key {
        found.append(source)
      }
    }
    return found
  }

  /// An embedded object knows whose it is.
  private func owner(through column: ColumnSchema, of key: Int, in target: Table) -> [Int] {
    guard let owner = target.owner(of: key), owner.table == schema.id, owner.column == column.id,
      isLive(owner.key)
    else { return [] }
    return [owner.key]
  }
}
