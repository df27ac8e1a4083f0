import CairnStorage

/// The rows that a property leads to before it is written. Under `.modified` an object without a primary key is not put in
/// the place of the one that is there: its values are written to that, where they differ.
enum PresentRows {
  case none
  case one(Row)
  case list([Row?])
  case map([String: Row])

  /// Those of an object's property; of an object in no store there are none.
  init(_ property: PropertyLayout, of object: ObjectBase) {
    self = .none
    guard let row = object.row, property.kind.target != nil,
      let column = row.handle.position(of: property.name)
    else { return }
    switch property.kind.collection {
    case .none: if let target = row.handle.target(column, at: row.key) { self = .one(target) }
    case .list:
      let elements = CollectionPlace(row, column).elements
      self = .list((0..<elements.count).map(elements.row))
    case .map:
      let elements = CollectionPlace(row, column).elements
      let rows = (0..<elements.count).compactMap { place in
        elements.row(at: place).map { (elements.key(at: place), $0) }
      }
      self = .map(Dictionary(rows) { first, _ in first })
    // Elements of a set have no place of their own.
    case .set: break
    }
  }

  /// The row of an element of a list.
  subscript(place: Int) -> PresentRows {
    guard case .list(let rows) = self, place < rows.count, let row = rows[place] else {
      return .none
    }
    return .one(row)
  }

  /// The row under a key of a map.
  subscript(key: String) -> PresentRows {
    guard case .map(let rows) = self, let row = rows[key] else { return .none }
    return .one(row)
  }

  /// The one row, for an object that is about to be converted; what that contains has others.
  func taken(by intake: ValueIntake) -> Row? {
    intake.present = .none
    if case .one(let row) = self { return row }
    return nil
  }
}
