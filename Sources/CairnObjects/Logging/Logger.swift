import CairnValues

/// Gets the library's messages: by default lines on standard error, from level `info` on.
///
///     Logger.shared = Logger { level, category, message in
///       print("\(category.rawValue) \(level): \(message)")
///     }
///     Logger.setLogLevel(.debug, for: Category.Storage.transaction)
///
/// A program that logs with swift-log passes the messages on in the same way; the library itself depends on no package.
public final class Logger: Sendable {
  /// A function that is given level, category and text of a message. Any thread calls it.
  public typealias Function =
    @Sendable (_ level: LogLevel, _ category: any LogCategory, _ message: String) -> Void

  private let function: Function

  /// A logger that calls a function with each message that is logged.
  public init(function: @escaping Function) { self.function = function }

  /// A logger that calls a function with each message; sets the level of all categories.
  @available(*, deprecated, message: "Use init(function:) and setLogLevel(_:for:).")
  public convenience init(level: LogLevel, function: @escaping Function) {
    self.init(function: function)
    Logger.setLogLevel(level)
  }

  /// A logger that calls a function with level and text of each message; sets the level of all categories.
  @available(*, deprecated, message: "Use init(function:) and setLogLevel(_:for:).")
  public convenience init(
    level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init { level, _, message in logFunction(level, message) }
    Logger.setLogLevel(level)
  }

  /// The level of all messages together.
  @available(*, deprecated, message: "Use logLevel(for:) and setLogLevel(_:for:).")
  public var level: LogLevel {
    get { Logger.logLevel(for: Category.realm) }
    set { Logger.setLogLevel(newValue) }
  }

  // MARK: Shared state

  private struct State {
    var logger: Logger?
    /// The levels that were set, by category.
    var levels: [String: LogLevel] = [:]

    /// The level of the category, or of the nearest one that it is part of.
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

  /// The logger that gets the messages; any thread may set it.
  public static var shared: Logger {
    get { state.withLock { $0.logger } ?? standard }
    set { state.withLock { $0.logger = newValue } }
  }

  private static let standard = Logger { level, category, message in
    StandardError.write("\(category.rawValue) \(level): \(message)\n")
  }

  /// Sets the level of a category, and of all that are part of it.
  public static func setLogLevel(_ level: LogLevel, for category: any LogCategory = Category.realm)
  {
    let name = category.rawValue
    state.withLock { state in
      state.levels = state.levels.filter { !$0.key.hasPrefix(name + ".") }
      state.levels[name] = level
    }
  }

  /// The level of a category.
  public static func logLevel(for category: any LogCategory) -> LogLevel {
    state.withLock { $0.level(of: category.rawValue) }
  }

  // MARK: Messages

  /// Logs a message, which is only made where its level is logged.
  static func log(
    _ level: LogLevel, _ category: any LogCategory, _ message: @autoclosure () -> String
  ) {
    guard level.rawValue <= logLevel(for: category).rawValue else { return }
    shared.function(level, category, message())
  }
}
