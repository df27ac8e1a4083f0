import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// One class of a realm in its present snapshot; results and objects read through it.
@usableFromInline
final class ClassHandle {
  /// The object through which the session weakly refers to the handle.
  private(set) lazy var life = HandleLife(of: self)
  /// A strong reference, which keeps the store open as long as anything reads it.
  let session: Session
  @exclusivity(unchecked) private(set) var table: Table
  /// All keys below it are live, as in `Table`. Read for each link.
  @exclusivity(unchecked) private var allLiveEnd: Int
  @exclusivity(unchecked) private(set) var cache: ChunkCache
  /// The chunks of a frozen class, accessed under the session's lock; `cache` remains empty then.
  private(set) var frozenCache: ChunkCache?
  private var positions: [String: Int]
  let isFrozen: Bool
  /// Whether the realm was invalidated, which leaves the class without rows.
  var isEnded = false
  private var firstBinding: ClassBinding?
  private var bindings: [ObjectIdentifier: ClassBinding] = [:]
  /// The property binders that turn instances of the first bound class into objects of rows; nil
  /// for a frozen class.
  @exclusivity(unchecked) private(set) var binders: InstanceBinders?
  /// Whether the program has a Swift class for this one, and the version of the session that this
  /// is true of.
  @exclusivity(unchecked) var declaration = (version: -1, isThere: true)
  /// The classes that links lead to, cached when first read.
  @exclusivity(unchecked) var targets: LinkTargets

  init(_ session: Session, table: Table) {
    self.session = session
    isFrozen = session.isFrozen
    self.table = table
    allLiveEnd = table.allLiveEnd
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

  /// Advances to the class in a later snapshot.
  func move(to table: Table) {
    if table.schema.columns != self.table.schema.columns { forgetBindings() }
    self.table = table
    allLiveEnd = table.allLiveEnd
    positions = ClassHandle.positions(of: table)
    targets.free()
    targets = LinkTargets(table)
    guard table.schema.columns.count != cache.columnCount else { return }
    cache.free()
    cache = ChunkCache(columns: table.schema.columns.count, clock: session.clock)
  }

  /// The class of projections that was checked last.
  var checkedProjection: ObjectIdentifier?
  /// Whether a Swift class reads through the handle.
  var isBound: Bool { firstBinding != nil }

  private func forgetBindings() {
    firstBinding = nil
    bindings = [:]
    binders = nil
  }

  /// Whether the row exists and was not deleted.
  @inline(__always)
  func isLive(_ key: Int) -> Bool {
    UInt(bitPattern: key) < UInt(bitPattern: allLiveEnd) || table.isLive(key)
  }

  /// The positions of the columns by name; the program's names take precedence over the store's.
  private static func positions(of table: Table) -> [String: Int] {
    let schema = table.schema
    var positions: [String: Int] = [:]
    for column in schema.properties { positions[column.name] = column.position }
    for name in schema.aliases.keys { positions[name] = schema.column(named: name)?.position }
    return positions
  }

  /// The mapping of a Swift class to the columns of this class.
  func binding(of type: ObjectBase.Type) -> ClassBinding {
    // Nearly always the one Swift class that the program has for this class.
    if !isFrozen, let first = firstBinding, first.layout.type == type { return first }
    return session.lock.withLock { _ in
      if let cached = bindings[ObjectIdentifier(type)] { return cached }
      let binding = orFatal { try ClassBinding(ObjectLayout.of(type), schema: table.schema) }
      bindings[ObjectIdentifier(type)] = binding
      if firstBinding == nil {
        firstBinding = binding
        if !isFrozen { binders = InstanceBinders(binding) }
      }
      return binding
    }
  }

  /// The position of a property's column; nil if the class has no property of that name.
  func position(of property: String) -> Int? { positions[property] }

  /// The property that holds the location or geometry: the named one, or the only one.
  func location(_ name: String?) throws -> ColumnSchema {
    if let name {
      guard let column = table.schema.column(named: name),
        table.schema.spatialColumn(for: column) != nil
      else {
        throw PredicateError(
          .typeMismatch,
          message: "Property '\(name)' of '\(self.name)' is neither a location nor a geometry.")
      }
      return column
    }
    let locations = table.schema.properties.filter { table.schema.spatialColumn(for: $0) != nil }
    guard let column = locations.first, locations.count == 1 else {
      throw PredicateError(
        .unknownProperty,
        message: locations.isEmpty
          ? "Class '\(self.name)' has no location and no geometry."
          : "Class '\(self.name)' has several locations or geometries; name one of "
            + "\(locations.map(\.name).joined(separator: ", "))."
      )
    }
    return column
  }
}

/// The handles of the classes that the links of a class lead to, looked up by name once rather than
/// for each link.
///
/// The references are unowned, because two classes may lead to each other. They are therefore valid
/// only until a handle of the session ends.
struct LinkTargets {
  private typealias Entry = (handle: Unmanaged<ClassHandle>, ended: Int)

  private let entries: UnsafeMutablePointer<Entry?>
  private let count: Int

  init(_ table: Table) {
    count = max(table.schema.columns.count, 1)
    entries = .allocate(capacity: count)
    entries.initialize(repeating: nil, count: count)
  }

  func free() { entries.deallocate() }

  /// The class that a column leads to; nil if it is not cached, or a handle has ended since.
  @inline(__always)
  func cached(_ column: Int, ended: Int) -> Unmanaged<ClassHandle>? {
    assert(column >= 0 && column < count, "the column does not exist")
    guard let entry = entries[column], entry.ended == ended else { return nil }
    return entry.handle
  }

  /// Caches the class that a column leads to.
  func keep(_ handle: ClassHandle, column: Int, ended: Int) {
    assert(column >= 0 && column < count, "the column does not exist")
    entries[column] = (Unmanaged.passUnretained(handle), ended)
  }
}

extension ClassHandle {
  /// The class that a link property leads to.
  @inline(__always)
  func targetHandle(_ column: Int) -> ClassHandle? {
    if let cached = targets.cached(column, ended: session.endedHandles) {
      return cached.takeUnretainedValue()
    }
    return findTarget(column)
  }

  @inline(never)
  private func findTarget(_ column: Int) -> ClassHandle? {
    guard let name = table.schema.columns[column].target, let handle = session.handle(name) else {
      return nil
    }
    // Several threads read a frozen class, so its cache is not written.
    if !isFrozen { targets.keep(handle, column: column, ended: session.endedHandles) }
    return handle
  }

  /// The object that a link leads to; nil if the link is null or the object was deleted.
  func target(_ column: Int, at key: Int) -> Row? {
    let cell = cell(column, at: key)
    guard !cell.isNull, let handle = targetHandle(column) else { return nil }
    let found = Int(truncatingIfNeeded: cell.int)
    return handle.isLive(found) ? Row(handle: handle, key: found) : nil
  }
}

/// A row of a class in an open store.
public struct Row {
  @usableFromInline let handle: ClassHandle
  @usableFromInline var key: Int

  @usableFromInline init(handle: ClassHandle, key: Int) {
    self.handle = handle
    self.key = key
  }
}
