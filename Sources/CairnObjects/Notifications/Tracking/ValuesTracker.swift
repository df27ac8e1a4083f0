import CairnQuery
import CairnStorage

/// Finds what became of values that are sorted or chosen from a collection, or in a collection in a mixed value.
final class ValuesTracker: SequenceTracker {
  private let values: FoundValues
  private var held: [StoredElement] = []

  init(_ values: FoundValues) { self.values = values }

  override var isOver: Bool { values.place.isInvalidated }

  override func begin() { held = present }

  override func changes(_ step: ObjectChanges) -> Changes {
    guard values.place.mayDiffer(step) else { return Changes() }
    let old = held
    held = present
    return Changes(from: old, to: held, pairs: values.steps.isEmpty && values.place.kind == .list)
  }

  private var present: [StoredElement] {
    values.place.isInvalidated ? [] : values.elements.all
  }
}

/// Finds what became of a list or a set of values in a property of its own. It holds none of them: the older state does.
final class StoredValuesTracker: SequenceTracker {
  private let place: CollectionPlace
  private let column: ColumnSchema

  init?(_ values: FoundValues) {
    guard values.steps.isEmpty, case .property(_, let column) = values.place.site else {
      return nil
    }
    place = values.place
    self.column = column
  }

  override var isOver: Bool { place.isInvalidated }

  override func changes(_ step: ObjectChanges) -> Changes {
    guard place.mayDiffer(step), let old = place.stored(in: step.log.old, column) else {
      return Changes()
    }
    guard let new = place.stored(in: step.log.new, column) else {
      var changes = Changes()
      changes.deletions = Array(0..<old.collection.count)
      return changes
    }
    return withExtendedLifetime((old, new)) {
      place.kind == .set
        ? Changes(ofSet: old.collection, to: new.collection)
        : Changes(ofList: old.collection, to: new.collection)
    }
  }
}

/// A collection as one state of a store has it; it leads into the memory of the table.
struct StateCollection {
  let table: Table
  let collection: StoredCollection
}

extension CollectionPlace {
  /// The collection in a state; nil where the object is not there.
  func stored(in state: Snapshot, _ column: ColumnSchema) -> StateCollection? {
    let table = state.table(row.handle.table.schema)
    guard table.isLive(row.key),
      let column = table.schema.columns.first(where: { $0.id == column.id })
    else { return nil }
    return StateCollection(table: table, collection: table.collection(column, at: row.key))
  }
}
