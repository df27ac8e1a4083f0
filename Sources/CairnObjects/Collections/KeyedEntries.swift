import CairnValues

/// Keys, each once, with what belongs to them; brought into order only when somebody asks for a place.
struct KeyedEntries<Key: Hashable, Payload> {
  private(set) var keys: [Key]
  private(set) var payloads: [Payload]
  private var places: [Key: Int]
  private var isOrdered = true
  /// How the keys stand; nil: as they came.
  private let order: ((Key, Key) -> Ordering)?

  /// No entries yet.
  init(by order: ((Key, Key) -> Ordering)?) {
    keys = []
    payloads = []
    places = [:]
    self.order = order
  }

  var count: Int { keys.count }

  /// The place of a key at this moment; ordering moves it.
  func anyPlace(of key: Key) -> Int? { places[key] }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  /// Gives a key its payload; what it had before.
  @discardableResult
  mutating func set(_ key: Key, _ payload: Payload) -> Payload? {
    if let place = places[key] {
      defer { payloads[place] = payload }
      return payloads[place]
    }
    isOrdered = isOrdered && isBehindAll(key)
    places[key] = keys.count
    keys.append(key)
    payloads.append(payload)
    return nil
  }

  /// Takes out a key; what it had.
  @discardableResult
  mutating func remove(_ key: Key) -> Payload? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    let payload = payloads[place]
    let (lastKey, lastPayload) = (keys.removeLast(), payloads.removeLast())
    if place < keys.count {
      keys[place] = lastKey
      payloads[place] = lastPayload
      places[lastKey] = place
      isOrdered = false
    }
    return payload
  }

  mutating func removeAll() {
    keys = []
    payloads = []
    places = [:]
    isOrdered = true
  }

  /// Brings the entries into order.
  mutating func settle() {
    guard !isOrdered, let order else { return }
    let sorted = keys.indices.sorted { order(keys[$0], keys[$1]) == .less }
    keys = sorted.map { keys[$0] }
    payloads = sorted.map { payloads[$0] }
    for (place, key) in keys.enumerated() { places[key] = place }
    isOrdered = true
  }

  private func isBehindAll(_ key: Key) -> Bool {
    guard let order, let last = keys.last else { return true }
    return order(last, key) == .less
  }
}
