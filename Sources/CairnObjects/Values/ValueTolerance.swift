import CairnStorage

/// What values from outside the program may lack, or have besides: `Dog(validating: json, tolerating: .unknownNames)`.
public struct ValueTolerance: OptionSet, Sendable {
  public let rawValue: Int

  /// Options of those numbers.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Names that the class has no property for; their values are ignored.
  public static let unknownNames = ValueTolerance(rawValue: 1)
  /// No value for a property that is not optional and begins with no value of its own; it begins with that of its type. A
  /// location has no such value, and is never missing.
  public static let missingValues = ValueTolerance(rawValue: 2)
  /// Both, as `init(value:)` and `create(_:value:update:)` have it.
  public static let all: ValueTolerance = [.unknownNames, .missingValues]
}

extension ValueIntake {
  /// - Throws: `Realm.Error` for a name that the class has no property for.
  func check(namesOf source: ValueSource, _ layout: ObjectLayout) throws {
    guard !tolerance.contains(.unknownNames), case .named(let values) = source else { return }
    let known = layout.properties.filter { !$0.kind.isInverse }.map(\.name)
    let unknown = values.keys.filter { name in !known.contains { $0.utf8.elementsEqual(name.utf8) }
    }
    guard let first = unknown.min() else { return }
    throw Realm.Error(.fail, ValueError.unknown(first, layout.className, among: known))
  }

  /// - Throws: `Realm.Error` for a property of a new object that has to be given a value, and is given none.
  func check(
    completenessOf values: [PropertyValue], for object: ObjectBase, _ layout: ObjectLayout
  ) throws {
    // Nothing stands for a missing location, so that it is never tolerated.
    let required =
      tolerance.contains(.missingValues)
      ? layout.requiredLocations : layout.properties.filter(\.isRequired)
    if required.isEmpty { return }
    let given = Set(values.map(\.property.offset))
    let missing = required.first { property in
      !given.contains(property.offset)
        && !property.wrapper.hasValue(property.pointer(in: object))
    }
    if let missing { throw ValueError.missing(missing.name, layout.className) }
  }
}

extension PropertyLayout {
  /// Whether there is no value that stands for none.
  fileprivate var isRequired: Bool {
    !kind.isOptional && !kind.isInverse && kind.collection == .none && kind.type != .mixed
  }
}
