import CairnQuery
import CairnStorage
import CairnValues

/// One class of a realm, in its present state: what results and objects read through.
@usableFromInline
final class ClassHandle {
  /// Tells the session that the handle is there.
  private(set) lazy var life = HandleLife(of: self)
  /// Keeps the store open as long as anything reads it.
  let session: Session
  @exclusivity(unchecked) private(set) var table: Table
  /// Keys below it live, as in `Table`; asked for each link.
  @exclusivity(unchecked) private var undyingEnd: Int
  @exclusivity(unchecked) private(set) var cache: ChunkCache
  /// The chunks of a frozen class; under the session's lock, while `cache` stays empty.
  private(set) var frozenCache: ChunkCache?
  private var positions: [String: Int]
  let isFrozen: Bool
  /// Whether the realm was invalidated: the class has no rows any more.
  var isEnded = false
  private var firstBinding: ClassBinding?
  private var bindings: [ObjectIdentifier: ClassBinding] = [:]
  /// How instances of the commonest class become objects of rows; of a class that is not frozen.
  @exclusivity(unchecked) private(set) var stamps: InstanceStamps?
  /// Whether the program has a class for this one, and the session's version that this is known for.
  @exclusivity(unchecked) var declaration = (version: -1, isThere: true)
  /// The classes that links lead to, as far as they were asked for.
  @exclusivity(unchecked) var targets: LinkTargets

  init(_ session: Session, _ table: Table) {
    self.session = session
    isFrozen = session.isFrozen
    self.table = table
    undyingEnd = table.undyingEnd
    cache = ChunkCache(columns: table.schema.columns.count, clock: session.clock)
    frozenCache =
      session.isFrozen
      ? ChunkCache(columns: table.schema.columns.count, clock: session.clock) : nil
    positions = ClassHandle.positions(of: table)
    targets = LinkTargets(table)
  }

  deinit {
    if !isFrozen { session.endedHandles += 1 }
    targets.free()
    cache.free()
    frozenCache?.free()
  }

  var name: String { table.schema.name }
  var version: Int { session.version }

  /// Goes on with the class as a later snapshot has it.
  func move(to table: Table) {
    if table.schema.columns != self.table.schema.columns { forgetBindings() }
    self.table = table
    undyingEnd = table.undyingEnd
    positions = ClassHandle.positions(of: table)
    targets.free()
    targets = LinkTargets(table)
    guard table.schema.columns.count != cache.columnCount else { return }
    cache.free()
    cache = ChunkCache(columns: table.schema.columns.count, clock: session.clock)
  }

  /// Whether a class of objects reads through the handle.
  var isBound: Bool { firstBinding != nil }

  private func forgetBindings() {
    firstBinding = nil
    bindings = [:]
    stamps = nil
  }

  /// Whether the row exists and was not deleted.
  @inline(__always)
  func isLive(_ key: Int) -> Bool {
    UInt(bitPattern: key) < UInt(bitPattern: undyingEnd) || table.isLive(key)
  }

  /// Positions by name: those of the program before those of the store.
  private static func positions(of table: Table) -> [String: Int] {
    let schema = table.schema
    var positions: [String: Int] = [:]
    for column in schema.properties { positions[column.name] = column.position }
    for name in schema.aliases.keys { positions[name] = schema.column(named: name)?.position }
    return positions
  }

  /// How a class of objects fits this one.
  func binding(of type: ObjectBase.Type) -> ClassBinding {
    // Nearly always the one class that the program has for this one.
    if !isFrozen, let first = firstBinding, first.layout.type == type { return first }
    return session.lock.withLock { _ in
      if let known = bindings[ObjectIdentifier(type)] { return known }
      let binding = trapping { try ClassBinding(ObjectLayout.of(type), table.schema) }
      bindings[ObjectIdentifier(type)] = binding
      if firstBinding == nil {
        firstBinding = binding
        if !isFrozen { stamps = InstanceStamps(binding) }
      }
      return binding
    }
  }

  /// Where a property stands; nil when the class has none of that name.
  func position(of property: String) -> Int? { positions[property] }

  /// The property that holds the location: the one named, or the only one there is.
  func location(_ name: String?) throws -> ColumnSchema {
    if let name {
      guard let column = table.schema.column(named: name), table.schema.point(for: column) != nil
      else {
        throw PredicateError(.typeMismatch, "Property '\(name)' of '\(self.name)' is no location.")
      }
      return column
    }
    let locations = table.schema.properties.filter { table.schema.point(for: $0) != nil }
    guard let column = locations.first, locations.count == 1 else {
      throw PredicateError(
        .unknownProperty,
        locations.isEmpty
          ? "Class '\(self.name)' has no location."
          : "Class '\(self.name)' has several locations; name one of "
            + "\(locations.map(\.name).joined(separator: ", "))."
      )
    }
    return column
  }
}
