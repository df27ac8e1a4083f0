import CairnStorage
import FoundationEssentials

/// An open store: where results come from.
///
/// A realm reads one state of the store until it is refreshed, whatever other realms and processes write
/// meanwhile. It belongs to the thread or actor that opened it; each opens its own.
public struct Realm {
  /// How the realm was opened.
  public let configuration: Configuration
  let session: Session

  /// Opens the store of the default configuration.
  ///
  /// - Throws: `Realm.Error`.
  public init() throws {
    try self.init(configuration: .defaultConfiguration)
  }

  /// Opens the store at that place; makes one if there is none.
  ///
  /// - Throws: `Realm.Error`.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a store.
  ///
  /// - Throws: `Realm.Error`: no such file, not a store, a newer format, damaged, no permission.
  public init(configuration: Configuration) throws {
    self.configuration = configuration
    guard let path = configuration.fileURL?.path, !path.isEmpty else {
      throw Error(.fail, "The configuration names no file.")
    }
    do {
      session = try Session(Store.open(path, configuration.readOnly ? .readOnly : .create))
    } catch let error as StoreError {
      throw Error(error)
    }
  }

  /// Moves on to the latest state of the store; true when that is a new one.
  ///
  /// Results and objects that were taken before read the new state.
  @discardableResult
  public func refresh() -> Bool {
    trapping { try session.refresh() }
  }

  /// The classes of the store.
  public var schema: Schema { Schema(session.snapshot.schema) }

  /// Whether the store holds no object.
  public var isEmpty: Bool {
    session.snapshot.schema.tables.allSatisfy { session.snapshot.table($0).liveCount == 0 }
  }

  /// All objects of a class; a class that the store does not have is a programming error.
  public func dynamicObjects(_ className: String) -> Results<DynamicObject> {
    Results(handle: handle(className))
  }

  /// The object with that primary key; nil when there is none.
  ///
  /// A class that the store does not have, or that has no primary key, is a programming error.
  public func dynamicObject(ofType className: String, forPrimaryKey key: Any) -> DynamicObject? {
    let handle = handle(className)
    guard handle.table.schema.primaryKey != nil else {
      programmingError("'\(className)' does not have a primary key.")
    }
    guard let value = Bridge.value(key), let found = handle.table.find(primaryKey: value) else {
      return nil
    }
    return DynamicObject(handle, key: found)
  }

  private func handle(_ className: String) -> ClassHandle {
    if let handle = session.handle(className) { return handle }
    let names = session.snapshot.schema.tables.map(\.name)
    let nearest = NearestName.of(className, among: names).map { " Did you mean '\($0)'?" } ?? ""
    programmingError("Object type '\(className)' is not managed by the Realm.\(nearest)")
  }
}
