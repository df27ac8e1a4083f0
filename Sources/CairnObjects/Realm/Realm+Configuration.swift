import CairnValues
import FoundationEssentials

extension Realm {
  /// How to open a store.
  public struct Configuration: Sendable {
    /// The file of the store; setting one makes the realm one of a file.
    public var fileURL: URL? {
      didSet { if fileURL != nil { inMemoryIdentifier = nil } }
    }
    /// The name of a store that no file keeps: it lives as long as something in the process holds it.
    public var inMemoryIdentifier: String? {
      didSet { if inMemoryIdentifier != nil { fileURL = nil } }
    }
    /// A key to encrypt the file with, which Cairn does not: opening with one throws.
    public var encryptionKey: Data?
    /// Whether the store is only read; it has to be there then.
    public var readOnly: Bool
    /// The program's own number for the form of its classes.
    public var schemaVersion: UInt64
    /// How many states of the store may be held at a time, from the oldest that somebody in any process reads to the
    /// newest, both counted; a commit that would go beyond fails. Nil for any number.
    ///
    /// A state that is held for long, by a frozen object or a thread that never refreshes, keeps the file growing.
    public var maximumNumberOfActiveVersions: UInt?
    /// What is done to the objects of a store with a lower schema version, once its classes have their new form.
    public var migrationBlock: MigrationBlock?
    /// Whether a store whose classes do not fit the program's is emptied instead of migrated.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Whether the file is compacted before it is opened: gets its size and what of it is in use, in bytes. It is not asked
    /// while somebody has the store open.
    public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
    /// Whether everything in the file is checked before it is opened: what is damaged throws then, instead of giving wrong
    /// answers or ending the program. It takes as long as reading the whole file.
    public var untrusted: Bool
    /// A store that is copied to the place of the file when there is none yet.
    public var seedFilePath: URL?
    /// The only classes that the realm has; nil for any that the program uses.
    public var objectTypes: [ObjectBase.Type]?

    /// A configuration that names the default file, unless told otherwise.
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

    /// What `Realm()` opens; any thread may read and set it.
    public static var defaultConfiguration: Configuration {
      get { standard.withLock { $0 } }
      set { standard.withLock { $0 = newValue } }
    }

    private static let standard = Mutex(Configuration())
  }
}
