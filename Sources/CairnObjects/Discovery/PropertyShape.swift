import CairnStorage

/// What the bits of a property are: the common ones are read and set as what they are, the others through their type,
/// which the runtime has to look up each time.
enum PropertyShape {
  case int
  case double
  case text
  /// A list of doubles, as locations have them.
  case doubles
  /// An object or none.
  case object
  /// A collection: an instance of a class.
  case collection
  /// Bits alone, which may be written over.
  case plain
  case other

  init(_ wrapper: any PersistedWrapper.Type, _ kind: PropertyKind) {
    if wrapper == Persisted<Int>.self {
      self = .int
    } else if wrapper == Persisted<Double>.self {
      self = .double
    } else if wrapper == Persisted<String>.self {
      self = .text
    } else if wrapper == Persisted<List<Double>>.self {
      self = .doubles
    } else if kind.target != nil, kind.collection == .none, wrapper.holdsReference {
      self = .object
    } else if kind.collection != .none, wrapper.holdsReference {
      self = .collection
    } else {
      self = wrapper.isPlain ? .plain : .other
    }
  }
}
