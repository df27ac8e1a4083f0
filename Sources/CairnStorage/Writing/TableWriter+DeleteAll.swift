import CairnValues

extension TableWriter {
  /// Deletes every row, and the embedded objects in them, without going through them one by one.
  package func deleteAll() {
    guard !schema.isEmbedded else { return deleteEach() }
    let cleared = emptiedClasses
    let others = cleared.flatMap { $0.embeddedObjects(outside: cleared) }
    for writer in cleared { writer.clearRows() }
    for (writer, key) in others where writer.table.isLive(key) { writer.deleteWithEmbedded(key) }
  }

  /// Objects that live in others: those are told.
  private func deleteEach() {
    for key in 0..<overlay.endKey where table.isLive(key) { deleteWithEmbedded(key) }
  }

  private func clearRows() {
    guard overlay.liveCount > 0 else { return }
    overlay.clear()
    draft.invalidate()
  }

  /// This class, and those whose objects live in nothing but objects of these.
  private var emptiedClasses: [TableWriter] {
    var emptied = [table.id: self]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for place in table.set.schemas.indices {
        let schema = table.set.schemas[place]
        guard schema.isEmbedded, emptied[schema.id] == nil,
          table.set.schemas.allSatisfy({
            emptied[$0.id] != nil || $0.id == schema.id || !$0.embeds(schema.name)
          }), let writer = table.set.writer(at: place)
        else { continue }
        emptied[schema.id] = writer
        isGrowing = true
      }
    }
    return Array(emptied.values)
  }

  /// The embedded objects in the rows, as far as they are of other classes than these.
  private func embeddedObjects(outside cleared: [TableWriter]) -> [(TableWriter, Int)] {
    var found: [(TableWriter, Int)] = []
    for column in schema.properties where column.type == .embedded {
      guard let target = target(of: column.position), !cleared.contains(where: { $0 === target })
      else { continue }
      for key in 0..<overlay.endKey where table.isLive(key) {
        found += table.linkedKeys(column.position, at: key).map { (target, $0) }
      }
    }
    return found
  }
}

extension TableSchema {
  /// Whether objects of the class hold embedded objects of that one.
  fileprivate func embeds(_ name: String) -> Bool {
    properties.contains {
      $0.type == .embedded && $0.target?.utf8.elementsEqual(name.utf8) == true
    }
  }
}
