import CairnSystem
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Realm {
  /// The settings with which a store is opened.
  public struct Configuration: Sendable {
    /// The file of the store. Setting a file clears ``inMemoryIdentifier``.
    public var fileURL: URL? {
      didSet { if fileURL != nil { inMemoryIdentifier = nil } }
    }
    /// The name of a store in memory, which lives as long as something in the process holds it.
    /// Setting a name clears ``fileURL``.
    public var inMemoryIdentifier: String? {
      didSet { if inMemoryIdentifier != nil { fileURL = nil } }
    }
    /// A key to encrypt the file with. Cairn does not encrypt files: opening a store with a key
    /// throws.
    public var encryptionKey: Data?
    /// Whether the store is opened for reading only, in which case it must exist.
    public var readOnly: Bool
    /// The program's own version number of its schema.
    public var schemaVersion: UInt64
    /// The maximum number of snapshots of the store, counted from the oldest that any process reads
    /// up to and including the newest. A commit that would exceed it fails. Nil for no limit.
    ///
    /// A snapshot that is held for long, by a frozen object or a thread that never refreshes, makes
    /// the file grow.
    public var maximumNumberOfActiveVersions: UInt?
    /// The block that migrates the objects of a store with a lower schema version. It runs once the
    /// classes have their new properties.
    public var migrationBlock: MigrationBlock?
    /// Whether a store whose classes do not fit the program's is emptied instead of migrated.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Returns whether to compact the file before it is opened, given its size and the part in use,
    /// both in bytes. The block is not called while the store is open elsewhere.
    public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
    /// Whether a file of an earlier format may not be upgraded when it is opened. Cairn opens earlier
    /// formats as they are, so the value changes nothing.
    public var disableFormatUpgrade = false
    /// Whether the whole file is checked before it is opened. Damage then throws instead of giving
    /// wrong answers or ending the program. The check takes as long as reading the whole file.
    public var untrusted: Bool
    /// A store that is copied to ``fileURL`` if no file exists there yet.
    public var seedFilePath: URL?
    /// The only classes that the realm has; nil for any that the program uses.
    public var objectTypes: [ObjectBase.Type]?
    /// The report of queries that take long; nil for none, which costs nothing.
    ///
    ///     configuration.slowQueries = .init(over: .milliseconds(100)) { print($0.plan) }
    ///
    /// A thread that has the store open already keeps the report with which it opened it.
    public var slowQueries: SlowQueryReport?
    /// Receives the events of the realm, for logs and counters; nil for none, which costs nothing.
    ///
    ///     configuration.events = { event in print(event, event.duration) }
    ///
    /// A thread that has the store open already keeps the handler with which it opened it.
    public var events: EventHandler?

    /// When events and the log warn of a version that a reader holds for long.
    var growthLimits = GrowthWatch.Limits()

    /// Creates a configuration, of the default file unless another file or an identifier is given.
    public init(
      fileURL: URL? = Configuration.defaultFile, inMemoryIdentifier: String? = nil,
      encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
      migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil, untrusted: Bool = false
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      self.inMemoryIdentifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
      self.untrusted = untrusted
    }

    /// `default.cairn` in the current folder.
    public static var defaultFile: URL { URL(fileURLWithPath: "default.cairn") }

    /// The configuration that `Realm()` opens. Any thread may read and set it.
    public static var defaultConfiguration: Configuration {
      get { standard.withLock { $0 } }
      set { standard.withLock { $0 = newValue } }
    }

    private static let standard = Mutex(Configuration())
  }
}
