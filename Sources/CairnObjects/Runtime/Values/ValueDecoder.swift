import CairnStorage
import CairnValues

/// Decodes values of any type into properties. `init(value:)` and `create` convert all values
/// before they set the first.
public final class ValueDecoder {
  /// The session in which objects with a primary key are looked up; nil for unmanaged objects.
  let session: Session?
  let policy: Realm.UpdatePolicy
  /// The omissions and additions that are accepted.
  let tolerance: ValueTolerance
  /// Whether unmanaged objects in the values are copied rather than added, as they are when an object is
  /// created.
  let copiesObjects: Bool
  /// The rows to which the property being converted already links.
  var existingRows = ExistingRows.none
  /// The reason why a value does not fit its property, such as an element of a collection, if it is
  /// not the type alone.
  var mismatchReason: String?
  /// The number of lists and maps in a mixed value around the one being converted.
  private var nesting = 0
  /// The writes to existing objects.
  private var updates: [() -> Void] = []
  /// The raw values without a case, which only a row can hold.
  private var rawValues: [() -> Void] = []
  /// The objects created for primary keys that the store does not have.
  private var created: [Identity: ObjectBase] = [:]
  /// The objects created from other objects.
  private var copies: [SourceIdentity: ObjectBase] = [:]
  /// The sources of the copies, kept because the identity of a freed object may be given to another.
  private var sources: [ValueSource] = []
  /// The objects that are being converted, and the conversions of values that are left for later.
  private var conversions = Traversal<() throws -> Void>()

  init(
    _ session: Session? = nil, policy: Realm.UpdatePolicy = .error,
    tolerating tolerance: ValueTolerance = .all, copyingObjects: Bool = false
  ) {
    copiesObjects = copyingObjects
    self.session = session
    self.policy = policy
    self.tolerance = tolerance
  }

  /// Converts a list or a map that a mixed value holds.
  ///
  /// - Throws: ``Realm/Error`` if it is nested too deeply to be stored.
  func nested<Collection>(_ convert: () throws -> Collection?) throws -> Collection? {
    guard nesting < Element.maxNesting else {
      throw Realm.Error(.fail, description: InvalidValue.tooDeep)
    }
    nesting += 1
    defer { nesting -= 1 }
    return try convert()
  }

  /// Writes to the existing objects.
  func finish() {
    for update in updates { update() }
    updates = []
  }

  /// Returns an object of the class with the values of a dictionary, an array or another object, or
  /// nil for other values.
  func object<T: ObjectBase>(_ type: T.Type, from any: Any) throws -> T? {
    conversions.enter()
    defer { conversions.leave() }
    let object = try convert(any, to: type)
    while let convert = conversions.next() { try convert() }
    return object
  }

  private func convert<T: ObjectBase>(_ any: Any, to type: T.Type) throws -> T? {
    let layout = ObjectLayout.of(type)
    let row = existingRows.take(for: self)
    guard let source = try ValueSource(any, for: layout) else { return nil }
    let copied = source.identity
    if let copied, let copy = copies[copied] as? T { return copy }
    if let key = try primaryKey(of: layout, in: source) {
      if let object = try stored(type, key: key) {
        try inTurn { try self.update(object, layout: layout, source: source) }
        return object
      }
      let identity = Identity(layout.className, key: key)
      if created[identity] != nil, policy == .error {
        throw InvalidValue.duplicate(key, className: layout.className)
      }
      let object = created[identity] as? T ?? type.init()
      created[identity] = object
      return try filled(object, layout: layout, source: source, copied: copied)
    }
    if let row, row.handle.name == layout.className, !row.handle.hasPrimaryKey {
      let object = type.managed(row)
      try inTurn { try self.update(object, layout: layout, source: source) }
      return object
    }
    return try filled(type.init(), layout: layout, source: source, copied: copied)
  }

  /// Converts the values of an object, or postpones that if the way to it is long.
  private func inTurn(_ convert: @escaping () throws -> Void) throws {
    if conversions.isLong { conversions.postpone(convert) } else { try convert() }
  }

  private func filled<T: ObjectBase>(
    _ object: T, layout: ObjectLayout, source: ValueSource, copied: SourceIdentity?
  ) throws -> T {
    if let copied {
      copies[copied] = object
      sources.append(source)
    }
    try inTurn { try self.fill(object, layout: layout, source: source) }
    return object
  }

  /// Schedules an update of an existing object.
  private func update(
    _ object: ObjectBase, layout: ObjectLayout, source: ValueSource
  ) throws {
    try check(namesOf: source, layout)
    // Placed before the updates of nested objects, because values may lead back to the object
    // itself.
    let index = updates.count
    updates.append {}
    let values = try values(of: layout, from: source, for: object)
      .filter { !$0.property.isPrimaryKey }
    updates[index] = { self.assign(values, to: object) }
  }

  /// Sets the properties of an unmanaged object.
  func fill<T: ObjectBase>(_ object: T, from any: Any) throws {
    let layout = ObjectLayout.of(T.self == type(of: object) ? T.self : type(of: object))
    guard let source = try ValueSource(any, for: layout) else {
      throw InvalidValue.noSource(any, className: layout.className)
    }
    try fill(object, layout: layout, source: source)
  }

  private func fill(
    _ object: ObjectBase, layout: ObjectLayout, source: ValueSource
  ) throws {
    try check(namesOf: source, layout)
    let values = try values(of: layout, from: source, for: object)
    try check(completenessOf: values, for: object, layout)
    assign(values, to: object)
  }

  /// Converts the values that the source has for the properties.
  private func values(
    of layout: ObjectLayout, from source: ValueSource, for object: ObjectBase
  ) throws -> [PropertyValue] {
    var values: [PropertyValue] = []
    let outerNesting = nesting
    nesting = 0
    defer { nesting = outerNesting }
    for (index, property) in layout.storedProperties.enumerated() {
      guard let any = source.value(of: property.name, at: index) else { continue }
      existingRows = policy == .modified ? ExistingRows(property, of: object) : .none
      values.append(try value(any, of: property, in: layout))
    }
    return values
  }

  /// Converts a value of any type to the property's type.
  func value(
    _ any: Any, of property: PropertyLayout, in layout: ObjectLayout
  ) throws -> PropertyValue {
    defer { existingRows = .none }
    mismatchReason = nil
    if let value = try property.wrapper.value(from: any, self) {
      return PropertyValue(property: property, value: value)
    }
    guard session != nil, let raw = RawValues.value(any, of: property) else {
      throw InvalidValue.mismatch(
        any, property: property, className: layout.className, reason: mismatchReason)
    }
    return PropertyValue(property: property, value: nil, raw: raw)
  }

  /// Sets properties of an object. Raw values without a case wait until the object has a row.
  private func assign(_ values: [PropertyValue], to object: ObjectBase) {
    for value in values {
      if value.raw != nil, object.row == nil {
        rawValues.append { value.assign(to: object) }
      } else {
        value.assign(to: object)
      }
    }
  }

  /// Writes the raw values without a case, after the objects were added.
  func finishAdded() {
    for write in rawValues { write() }
    rawValues = []
  }

  // MARK: Primary keys

  private func primaryKey(of layout: ObjectLayout, in source: ValueSource) throws -> Value? {
    guard session != nil,
      let index = layout.storedProperties.firstIndex(where: \.isPrimaryKey),
      let any = source.value(of: layout.storedProperties[index].name, at: index)
    else { return nil }
    let key = try value(any, of: layout.storedProperties[index], in: layout)
    return key.raw ?? Bridge.value(key.value?._dynamic)
  }

  /// Returns the object in the store with that primary key.
  private func stored<T: ObjectBase>(_ type: T.Type, key: Value) throws -> T? {
    guard let session else { return nil }
    let handle = try session.handle(for: ObjectLayout.of(type))
    guard let found = handle.table.find(primaryKey: key) else { return nil }
    if policy == .error { throw InvalidValue.duplicate(key, className: handle.name) }
    return type.managed(Row(handle: handle, key: found))
  }

  /// The identity of an object that is copied.
  enum SourceIdentity: Hashable {
    case row(Identity)
    case unmanaged(ObjectIdentifier)
  }

  /// The identity of an object that is not in the store yet.
  struct Identity: Hashable {
    let className: String
    let key: Value

    init(_ className: String, key: Value) {
      self.className = className
      self.key = key
    }
  }
}

/// The new value of a property.
struct PropertyValue {
  let property: PropertyLayout
  /// The value; nil for a raw value for which the enumeration has no case.
  let value: (any _Persistable)?
  /// The raw value for which the enumeration has no case.
  var raw: Value?

  func assign(to object: ObjectBase) {
    if let value {
      property.wrapper.assign(value, pointer: property.pointer(in: object), row: object.row)
    } else if let raw, let row = object.row,
      let column = row.handle.position(of: property.name)
    {
      row.handle.set(raw, column: column, at: row.key)
    }
  }
}

/// The rows to which a property links before it is written. Under `.modified`, an object without a
/// primary key does not replace the existing one; instead its values are written to the existing
/// object where they differ.
enum ExistingRows {
  case none
  case one(Row)
  case list([Row?])
  case map([String: Row])

  /// The rows in an object's property; none for an unmanaged object.
  init(_ property: PropertyLayout, of object: ObjectBase) {
    self = .none
    guard let row = object.row, property.kind.target != nil,
      let column = row.handle.position(of: property.name)
    else { return }
    switch property.kind.collection {
    case .none: if let target = row.handle.target(column, at: row.key) { self = .one(target) }
    case .list:
      let elements = CollectionReference(row, column: column).elements
      self = .list((0..<elements.count).map(elements.row))
    case .map:
      let elements = CollectionReference(row, column: column).elements
      let rows = (0..<elements.count).compactMap { index in
        elements.row(at: index).map { (elements.key(at: index), $0) }
      }
      self = .map(Dictionary(rows) { first, _ in first })
    // Elements of a set have no position to match by.
    case .set: break
    }
  }

  /// The row of an element of a list.
  subscript(index: Int) -> ExistingRows {
    guard case .list(let rows) = self, index < rows.count, let row = rows[index] else {
      return .none
    }
    return .one(row)
  }

  /// The row for a key of a map.
  subscript(key: String) -> ExistingRows {
    guard case .map(let rows) = self, let row = rows[key] else { return .none }
    return .one(row)
  }

  /// Returns the single row for an object that is about to be converted. Clears the decoder's rows,
  /// because nested objects have others.
  func take(for decoder: ValueDecoder) -> Row? {
    decoder.existingRows = .none
    if case .one(let row) = self { return row }
    return nil
  }
}

/// The omissions and additions to accept in values from outside the program:
/// `Dog(validating: json, tolerating: .unknownNames)`.
public struct ValueTolerance: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates a set of options from its raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Accepts names for which the class has no property, and ignores their values.
  public static let unknownNames = ValueTolerance(rawValue: 1)
  /// Accepts a missing value for a property that is neither optional nor declared with a value. The
  /// property gets the default value of its type. A location has no default value, so a missing
  /// location is never accepted.
  public static let missingValues = ValueTolerance(rawValue: 2)
  /// Accepts both, as `init(value:)` and `create(_:value:update:)` do.
  public static let all: ValueTolerance = [.unknownNames, .missingValues]
}

extension ValueDecoder {
  /// Checks the names in a source.
  ///
  /// - Throws: `Realm.Error` for a name that does not match a property of the class.
  func check(namesOf source: ValueSource, _ layout: ObjectLayout) throws {
    guard !tolerance.contains(.unknownNames), case .named(let values) = source else { return }
    let names = layout.storedProperties.map(\.name)
    let unknown = values.keys.filter { name in !names.contains { $0.utf8.elementsEqual(name.utf8) }
    }
    guard let first = unknown.min() else { return }
    throw Realm.Error(
      .fail, description: InvalidValue.unknown(first, className: layout.className, among: names))
  }

  /// Checks that every property that requires a value has one.
  ///
  /// - Throws: `Realm.Error` for a property of a new object that requires a value and has none.
  func check(
    completenessOf values: [PropertyValue], for object: ObjectBase, _ layout: ObjectLayout
  ) throws {
    // A location has no default value, so a missing location is never tolerated.
    let required =
      tolerance.contains(.missingValues)
      ? layout.requiredLocations : layout.properties.filter(\.isRequired)
    if required.isEmpty { return }
    let given = Set(values.map(\.property.offset))
    let missing = required.first { property in
      !given.contains(property.offset)
        && !property.wrapper.hasValue(property.pointer(in: object))
    }
    if let missing { throw InvalidValue.missing(missing.name, className: layout.className) }
  }
}

extension PropertyLayout {
  /// Whether the property requires a value.
  fileprivate var isRequired: Bool {
    !kind.isOptional && !kind.isInverse && kind.collection == .none && kind.type != .mixed
  }
}
