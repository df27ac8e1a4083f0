import FoundationEssentials

extension Realm {
  /// How to open a store.
  public struct Configuration: Sendable {
    /// The file of the store.
    public var fileURL: URL?
    /// Whether the store is only read; it has to be there then.
    public var readOnly: Bool

    /// A configuration that names the default file.
    public init(fileURL: URL? = Configuration.defaultFile, readOnly: Bool = false) {
      self.fileURL = fileURL
      self.readOnly = readOnly
    }

    /// `default.cairn` in the current folder.
    public static var defaultFile: URL { URL(fileURLWithPath: "default.cairn") }

    /// What `Realm()` opens.
    public static var defaultConfiguration: Configuration { Configuration() }
  }
}
