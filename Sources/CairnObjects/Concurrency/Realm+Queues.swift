import Dispatch

extension Realm {
  /// Opens a store for a serial dispatch queue, on which alone the realm may be used: to be called there.
  ///
  /// The main queue belongs to the main thread, and its blocks need a main run loop or `dispatchMain()`.
  ///
  /// - Parameter queue: nil for the caller's thread.
  /// - Throws: `Realm.Error`, as the other initialisers do.
  public init(
    configuration: Configuration = .defaultConfiguration, queue: DispatchQueue?
  ) throws {
    guard let queue else {
      try self.init(configuration: configuration, _isolation: nil)
      return
    }
    let owner = SessionOwner(queue)
    guard owner.confinement == .main ? Caller.isMain : QueueMark.of(queue).isCurrent else {
      programmingError("Realm opened from incorrect dispatch queue.")
    }
    self.init(try SessionRegistry.session(configuration, owner))
  }
}
