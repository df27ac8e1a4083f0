import CairnSystem
import CairnValues

/// Receives the library's messages. The default logger writes lines of level `info` and above to
/// standard error.
///
///     Logger.shared = Logger { level, category, message in
///       print("\(category.rawValue) \(level): \(message)")
///     }
///     Logger.setLogLevel(.debug, for: Category.Storage.transaction)
///
/// A program that uses swift-log forwards the messages in the same way; the library itself has no
/// package dependency.
public final class Logger: Sendable {
  /// A function that receives the level, category and text of a message. Any thread may call it.
  public typealias Function =
    @Sendable (_ level: LogLevel, _ category: any LogCategory, _ message: String) -> Void

  private let function: Function

  /// Creates a logger that calls a function with each logged message.
  public init(function: @escaping Function) { self.function = function }

  /// Creates a logger that calls a function with each logged message, and sets the level of all
  /// categories.
  @available(*, deprecated, message: "Use init(function:) and setLogLevel(_:for:).")
  public convenience init(level: LogLevel, function: @escaping Function) {
    self.init(function: function)
    Logger.setLogLevel(level)
  }

  /// Creates a logger that calls a function with the level and text of each logged message, and
  /// sets the level of all categories.
  @available(*, deprecated, message: "Use init(function:) and setLogLevel(_:for:).")
  public convenience init(
    level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init { level, _, message in logFunction(level, message) }
    Logger.setLogLevel(level)
  }

  /// The level of the root category, which contains all messages.
  @available(*, deprecated, message: "Use logLevel(for:) and setLogLevel(_:for:).")
  public var level: LogLevel {
    get { Logger.logLevel(for: Category.realm) }
    set { Logger.setLogLevel(newValue) }
  }

  // MARK: Shared state

  private struct State {
    var logger: Logger?
    /// The levels that the program set, by category.
    var levels: [String: LogLevel] = [:]

    /// Returns the level of the category, or of the nearest category that contains it.
    func level(of category: String) -> LogLevel {
      if levels.isEmpty { return .info }
      var name = category[...]
      while true {
        if let level = levels[String(name)] { return level }
        guard let dot = name.lastIndex(of: ".") else { return .info }
        name = name[..<dot]
      }
    }
  }

  private static let state = Mutex(State())

  /// The logger that receives the messages. Any thread may set it.
  public static var shared: Logger {
    get { state.withLock { $0.logger } ?? standard }
    set { state.withLock { $0.logger = newValue } }
  }

  private static let standard = Logger { level, category, message in
    StandardError.write("\(category.rawValue) \(level): \(message)\n")
  }

  /// Sets the level of a category and of all categories within it.
  public static func setLogLevel(_ level: LogLevel, for category: any LogCategory = Category.realm)
  {
    let name = category.rawValue
    state.withLock { state in
      state.levels = state.levels.filter { !$0.key.hasPrefix(name + ".") }
      state.levels[name] = level
    }
  }

  /// Returns the level of a category.
  public static func logLevel(for category: any LogCategory) -> LogLevel {
    state.withLock { $0.level(of: category.rawValue) }
  }

  // MARK: Messages

  /// Logs a message. The text is built only if its level is logged.
  static func log(
    _ level: LogLevel, category: any LogCategory, message: @autoclosure () -> String
  ) {
    guard level.rawValue <= logLevel(for: category).rawValue else { return }
    shared.function(level, category, message())
  }
}

/// The importance of a message, and the threshold for logging: messages up to the level are logged,
/// so the lower the level, the fewer messages.
public enum LogLevel: Int, Sendable, CaseIterable {
  /// Logs nothing.
  case off = 0
  /// The program cannot continue.
  case fatal = 1
  /// An operation failed.
  case error = 2
  /// An operation may fail later.
  case warn = 3
  /// Information for an operator.
  case info = 4
  /// More detailed information for an operator: migrations.
  case detail = 5
  /// Information for a programmer: opened realms and commits.
  case debug = 6
  /// Every step: the queries that run.
  case trace = 7
  /// Logs everything.
  case all = 8
}

/// The subject of a message. The raw values are dotted paths: each category belongs to the category
/// before its last dot.
public protocol LogCategory: Sendable {
  /// The name of the category, for example `Realm.Storage.Query`.
  var rawValue: String { get }
}

/// The categories of messages.
public enum Category: String, LogCategory, CaseIterable {
  /// All messages.
  case realm = "Realm"
  /// Opened realms.
  case sdk = "Realm.SDK"
  /// A category of Realm; Cairn logs no messages in it.
  case app = "Realm.App"

  /// Messages about a store.
  public enum Storage: String, LogCategory, CaseIterable {
    /// All messages about stores, including migrations.
    case all = "Realm.Storage"
    /// Write transactions.
    case transaction = "Realm.Storage.Transaction"
    /// Queries.
    case query = "Realm.Storage.Query"
    /// A category of Realm; Cairn logs no messages in it.
    case object = "Realm.Storage.Object"
    /// A category of Realm; Cairn logs no messages in it.
    case notification = "Realm.Storage.Notification"
  }
}
