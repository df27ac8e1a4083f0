import CairnStorage
import FoundationEssentials

extension Realm {
  /// Opens the store of the default configuration.
  ///
  /// - Throws: `Realm.Error`.
  public init(_isolation: isolated (any Actor)? = #isolation) throws {
    try self.init(configuration: .defaultConfiguration, _isolation: _isolation)
  }

  /// Opens the store at that place; makes one if there is none.
  ///
  /// - Throws: `Realm.Error`.
  public init(fileURL: URL, _isolation: isolated (any Actor)? = #isolation) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration, _isolation: _isolation)
  }

  /// Opens a store. Opened again on the same thread or actor while the first is held, it is the same realm.
  ///
  /// - Throws: `Realm.Error`: no such file, not a store, a newer format, damaged, no permission, an encryption key;
  ///   with `objectTypes`, whatever is wrong with a class, or does not fit what the store has.
  public init(
    configuration: Configuration, _isolation: isolated (any Actor)? = #isolation
  ) throws {
    do { self.init(try SessionRegistry.session(configuration, _isolation)) } catch let error
      as Error
    {
      throw error.about(configuration.fileURL)
    }
  }
}

extension Realm.Configuration {
  /// Opens the store that is named.
  func openStore() throws -> Store {
    if encryptionKey != nil { throw Self.encryption }
    try checkReadOnly()
    do {
      if let inMemoryIdentifier { return try Store.openInMemory(identifier: inMemoryIdentifier) }
      let path = try self.path
      try seed(path)
      try compact(path)
      return try Store.open(path, readOnly ? .readOnly : .create, untrusted: untrusted)
    } catch let error as StoreError { throw Realm.Error(error) }
  }
}

extension Session {
  /// Takes note of the classes that the configuration names, and of what is wrong with them.
  func registerTypes() throws {
    for type in configuration.objectTypes ?? [] {
      let layout = ObjectLayout.of(type)
      let handle = try handle(for: layout)
      _ = try ClassBinding(layout, handle.table.schema)
    }
  }

  /// - Throws: `Realm.Error` where a class of the configuration leads to one that it does not name.
  func checkListedTargets() throws {
    guard let types = configuration.objectTypes else { return }
    let known = Set(types.map { ObjectLayout.of($0).className })
    for layout in types.map({ ObjectLayout.of($0) }) {
      for property in layout.properties {
        guard let target = property.kind.target.map({ ObjectLayout.of($0).className }),
          !known.contains(target)
        else { continue }
        throw Realm.Error(
          .schemaMismatch,
          "Property '\(layout.className).\(property.name)' leads to class '\(target)', which is not among the "
            + "objectTypes of the configuration; add \(target).self to them.")
      }
    }
  }

  /// Whether a class may be used.
  ///
  /// - Throws: `Realm.Error` for one that the configuration does not name.
  func checkListed(_ layout: ObjectLayout) throws {
    guard let types = configuration.objectTypes,
      !types.contains(where: { ObjectIdentifier($0) == ObjectIdentifier(layout.type) })
    else { return }
    throw Realm.Error(
      .fail,
      "Object type '\(layout.className)' is not managed by the Realm: it is not among the objectTypes of the "
        + "configuration; add \(layout.className).self to them.")
  }
}
