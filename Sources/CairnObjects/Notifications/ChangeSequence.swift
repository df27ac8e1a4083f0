/// What becomes of something in a realm, one change after the other.
///
///     for await change in dogs.changes { … }
///
/// Each step refreshes the realm, unless its `autorefresh` is off, and waits while there is nothing new; what was committed
/// since the step before is one change. It ends with its task, and when what is observed is gone.
///
/// The loop runs where the realm belongs: on its actor, or in its task.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct ChangeSequence<Change>: AsyncSequence {
  private let pull: () -> Pull<Change>

  init(_ pull: @escaping () -> Pull<Change>) { self.pull = pull }

  /// Begins with the present state.
  public func makeAsyncIterator() -> Iterator { Iterator(pull()) }

  /// Goes from one change to the next.
  public struct Iterator: AsyncIteratorProtocol {
    private let pull: Pull<Change>

    init(_ pull: Pull<Change>) { self.pull = pull }

    /// The next change, once there is one; nil when no other can follow.
    public mutating func next(isolation: isolated (any Actor)?) async -> Change? {
      await pull.next(isolation)
    }

    /// The next change, for callers that do not say where they run: it is looked for where the realm belongs.
    public mutating func next() async -> Change? {
      let pull = Handover(pull)
      return await pull.value.nextForOwner().value
    }
  }
}

extension ThreadConfined {
  /// What becomes of this, one change after the other.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package func beFollowed<Observed: ObservedChange, Change>(
    _ track: @escaping (Self) -> Tracker<Observed>, as told: @escaping (Observed) -> Change
  ) -> ChangeSequence<Change> {
    let session = observableSession()
    return ChangeSequence { Pull(session, track(self), as: told) }
  }
}
