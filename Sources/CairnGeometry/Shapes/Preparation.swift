import CairnSystem

/// Values that were derived from a shape, one of each type: querying the same shape again costs no
/// preparation.
// Sendable: the values are only touched under `lock`.
final class Preparation: @unchecked Sendable {
  private let lock = Lock()
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Returns the value of a type. The first call creates it with `make`.
  ///
  /// Threads that ask for it at the same time may each create it; all get the same one.
  func value<Value: Sendable, Failure: Error>(
    _ make: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let key = ObjectIdentifier(Value.self)
    if let kept = lock.withLock({ values[key] as? Value }) { return kept }
    let made = try make()
    return lock.withLock {
      if let kept = values[key] as? Value { return kept }
      values[key] = made
      return made
    }
  }
}
