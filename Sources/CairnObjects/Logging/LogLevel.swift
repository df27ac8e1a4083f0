/// How important a message is, and from which importance on messages are logged: the lower the number, the fewer.
public enum LogLevel: Int, Sendable, CaseIterable {
  /// Nothing is logged.
  case off = 0
  /// The program cannot go on.
  case fatal = 1
  /// Something failed.
  case error = 2
  /// Something may fail later.
  case warn = 3
  /// News for an operator.
  case info = 4
  /// The same in more detail: migrations.
  case detail = 5
  /// News for a programmer: realms that are opened, and commits.
  case debug = 6
  /// Every step: queries that are run.
  case trace = 7
  /// Everything.
  case all = 8
}

/// The subject of a message. The raw values are dotted, so that each category is part of the one before its last dot.
public protocol LogCategory: Sendable {
  /// The name of the category: `Realm.Storage.Query`.
  var rawValue: String { get }
}

/// The categories of messages.
public enum Category: String, LogCategory, CaseIterable {
  /// All messages.
  case realm = "Realm"
  /// Realms that are opened.
  case sdk = "Realm.SDK"
  /// Part of Realm's list; Cairn logs nothing of it.
  case app = "Realm.App"

  /// Messages about a store.
  public enum Storage: String, LogCategory, CaseIterable {
    /// All of it, with migrations.
    case all = "Realm.Storage"
    /// Write transactions.
    case transaction = "Realm.Storage.Transaction"
    /// Queries.
    case query = "Realm.Storage.Query"
    /// Part of Realm's list; Cairn logs nothing of it.
    case object = "Realm.Storage.Object"
    /// Part of Realm's list; Cairn logs nothing of it.
    case notification = "Realm.Storage.Notification"
  }
}
