import CairnStorage
import CairnValues

/// Where a path leads to, once its class is known.
struct Destination {
  /// The steps without those that say nothing: `@allValues`, and `[*]` on a collection.
  var components: [PropertyPath.Component] = []
  /// Those steps that lead to many values.
  var many: [Many] = []
  /// What is at the end.
  var end: End
  /// The last property, as `Class.property`; for messages.
  var property = ""

  /// A step that leads to many values.
  struct Many {
    /// Among the steps that are kept.
    let place: Int
    /// Among the steps as they were written.
    let step: Int
    /// `[*]` and `@allKeys` say that they mean any; a bare collection does not.
    let isExplicit: Bool
  }

  /// What a path leads to.
  enum End {
    /// Objects of a class; of the class itself at the very beginning.
    case object(TableSchema, ValueType)
    /// A map as a whole, if no subscript follows; the type is that of its values.
    case map(ColumnSchema)
    case value(ValueType)
  }

  /// The type of what is at the end.
  var type: ValueType {
    switch end {
    case .object(_, let type), .value(let type): type
    case .map(let column): column.type
    }
  }

  /// The class of the objects at the end.
  var table: TableSchema? {
    if case .object(let table, _) = end { table } else { nil }
  }

  /// Whether the path ends at a collection as a whole.
  var isCollection: Bool { many.last?.place == components.count - 1 }

  /// `[*]` behind a collection says what the collection says by itself, but that it means any.
  mutating func makeLastExplicit() {
    guard let last = many.popLast() else { return }
    many.append(Many(place: last.place, step: last.step, isExplicit: true))
  }
}
