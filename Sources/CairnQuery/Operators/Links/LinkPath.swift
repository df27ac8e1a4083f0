import CairnStorage
import CairnValues

/// A property path, resolved in the classes that it passes through.
struct LinkPath {
  /// The steps from object to object.
  let linkSteps: [LinkStep]
  /// The part of the objects at the end of the link steps that is read.
  let end: End
  /// The class of the objects at the end of the link steps.
  let endTable: Table
  /// The subscripts into the mixed values at the end.
  let below: [PropertyPath.Component]

  enum End {
    /// The object itself.
    case object
    /// A property.
    case column(Column)
    /// The elements of a collection of values.
    case elements(Column)
    /// A map's value for a key.
    case entry(Column, key: String)
    /// The keys of a map.
    case keys(Column)

    var column: Column? {
      switch self {
      case .object: nil
      case .column(let column), .elements(let column), .entry(let column, _), .keys(let column):
        column
      }
    }

    /// Whether one object can have several values.
    var isMany: Bool {
      switch self {
      case .elements, .keys: true
      case .object, .column, .entry: false
      }
    }
  }

  /// The type of the values at the end; nil for objects.
  var valueType: ValueType? {
    switch end {
    case .object: nil
    case .keys: .string
    case .column(let column), .elements(let column), .entry(let column, _): column.schema.type
    }
  }

  /// Whether the values at the end are mixed.
  var isMixed: Bool { valueType == .mixed }

  /// Whether the path ends at an object.
  var endsAtObject: Bool {
    if case .object = end { true } else { false }
  }

  /// Whether the path passes through a collection.
  var isMany: Bool { isMany(behind: -1) }

  /// Whether the path passes through a collection behind that link step.
  func isMany(behind index: Int) -> Bool {
    end.isMany || below.contains(where: \.isMany)
      || linkSteps.dropFirst(index + 1).contains(where: \.isMany)
  }
}
