internal import CairnStorage

/// A record that cannot be stored, and why.
struct Refusal: Sendable {
  let place: InputPlace
  /// What all records refused for this reason share, such as `latitude is missing`.
  let reason: String
  /// Reason and value, and what to do.
  let detail: String
}

/// The records that were left out of one section or of a whole import.
struct RefusalLog: Sendable {
  /// How many are kept with their details.
  static let kept = 10

  private(set) var count = 0
  private(set) var first: [Refusal] = []
  private(set) var byReason: [String: Int] = [:]

  mutating func add(_ refusal: Refusal) {
    count += 1
    byReason[refusal.reason, default: 0] += 1
    if first.count < Self.kept { first.append(refusal) }
  }

  /// Adds the log of a later section, or of one that belongs before.
  mutating func add(_ other: RefusalLog) {
    count += other.count
    byReason.merge(other.byReason, uniquingKeysWith: +)
    first = Array((first + other.first).sorted { $0.place < $1.place }.prefix(Self.kept))
  }
}

extension RefusalLog {
  /// The reasons and how many were refused for each, the commonest first.
  var reasons: [(reason: String, count: Int)] {
    byReason.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

/// Why parsing a section ended early.
enum ParseStop: Error {
  /// A record cannot be stored, and the import is to fail then.
  case refused(Refusal)
  /// A value does not have the type that was taken for its column's.
  case contradiction(column: String)
  /// The input is damaged beyond one record.
  case failed(ImportError)
}

extension ParseStop {
  /// Does what can fail for another reason than a record.
  static func on<R>(_ body: () throws(ImportError) -> R) throws(ParseStop) -> R {
    do throws(ImportError) { return try body() } catch { throw .failed(error) }
  }

  /// Does what the store can refuse.
  static func onStore<R>(_ body: () throws(StoreError) -> R) throws(ParseStop) -> R {
    do throws(StoreError) { return try body() } catch { throw .failed(ImportError(error)) }
  }
}
