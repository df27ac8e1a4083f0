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
    /// The only classes that the realm has; nil for any that the program uses.
    public var objectTypes: [ObjectBase.Type]?

    /// A configuration that names the default file, unless told otherwise.
    public init(
      fileURL: URL? = Configuration.defaultFile, inMemoryIdentifier: String? = nil,
      encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
      objectTypes: [ObjectBase.Type]? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      self.inMemoryIdentifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.objectTypes = objectTypes
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
