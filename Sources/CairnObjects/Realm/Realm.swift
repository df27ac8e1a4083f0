import CairnStorage

/// An open store: where results come from.
///
/// A realm reads one state of the store until it is refreshed, whatever other realms and processes write
/// meanwhile. It belongs to the thread or actor that opened it; each opens its own.
public struct Realm {
  let session: Session

  /// How the realm was opened.
  public var configuration: Configuration { session.configuration }

  /// Keeps what was found out about classes.
  private let keeper: HandleKeeper

  init(_ session: Session) {
    self.session = session
    keeper = session.handleKeeper()
  }

  /// Moves on to the latest state of the store; true when that is a new one.
  ///
  /// Results and objects that were taken before read the new state.
  @discardableResult
  public func refresh() -> Bool {
    trapping { try checked.refresh() }
  }

  /// The classes of the store.
  public var schema: Schema { Schema(checked) }

  /// Whether the store holds no object.
  public var isEmpty: Bool {
    let session = checked
    return session.schema.tables.allSatisfy { session.handle($0.name)?.table.liveCount == 0 }
  }
}
