import CairnQuery

/// Finds what became of something in a session, from one state to the next that it is asked about.
package class Tracker<Change: ObservedChange> {
  /// Whether nothing more can become of it.
  final var isOver = false

  /// Whether the state that is there when it is made is one to tell of.
  var hasBeginning: Bool { true }

  /// What is told of the present state, before any change.
  func begin() throws -> Change? { nil }

  /// What became of it; nil where nothing did.
  ///
  /// - Parameter step: what happened in the store since the state that was asked about last; the session shows the one
  ///   after it.
  func change(_ step: ObjectChanges) throws -> Change? { nil }
}

/// What observers are told.
package protocol ObservedChange {
  /// That the store could not be read; nil where that cannot be told.
  static func failure(_ error: any Error) -> Self?
  /// That what was to be observed is not there any more; nil where that cannot be told.
  static var disappearance: Self? { get }
}

extension ObservedChange {
  package static func failure(_ error: any Error) -> Self? { nil }
  package static var disappearance: Self? { nil }
}

extension RealmCollectionChange: ObservedChange {
  package static func failure(_ error: any Error) -> Self? { .error(error) }
}

extension RealmMapChange: ObservedChange {
  package static func failure(_ error: any Error) -> Self? { .error(error) }
}

extension ObjectChange: ObservedChange {
  package static func failure(_ error: any Error) -> Self? { .error(error) }
  package static var disappearance: Self? { .deleted }
}
