internal import CairnGeometry
package import CairnStorage
internal import CairnValues

/// The reason why nothing was imported. The message names the file, the line, the value and the
/// remedy.
package struct ImportError: Error, CustomStringConvertible, Sendable {
  /// The kind of an error, which decides the exit code.
  package enum Kind: Sendable {
    /// An option does not fit the files; exit code 64.
    case usage
    /// The content of a file is invalid; exit code 65.
    case data
    /// A file does not exist or cannot be opened; exit code 66.
    case noInput
    /// Reading failed; exit code 74.
    case io
    /// A required library is not installed; exit code 1.
    case library
    /// The store reported an error, which is in `storeError`.
    case store
  }

  package let kind: Kind
  /// The message, which refers to options without spelling them.
  package let text: ImportMessage
  /// The error of the store, if the store reported one.
  package let storeError: StoreError?

  /// Creates an error of a kind.
  package init(_ kind: Kind, message: ImportMessage) {
    self.kind = kind
    text = message
    storeError = nil
  }

  /// Wraps an error of the store.
  package init(_ error: StoreError) {
    kind = .store
    text =
      error.kind == .duplicateKey
      ? "\(error.message); choose \(option: .onConflict, "replace") or \(option: .onConflict, "skip")"
      : ImportMessage(error.message)
    storeError = error
  }

  /// The message with options in the names of this module.
  package var message: String { text.description }

  package var description: String { message }
}

/// A record that cannot be stored, and the reason.
struct RejectedRecord: Sendable {
  let position: InputPosition
  let reason: RejectReason
  /// The reason with the value and the remedy.
  let detail: ImportMessage
}

/// The reason that several rejected records can share, such as `latitude is missing`.
enum RejectReason: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The geometry is of a type other than Point.
  case geometryType(String)
  /// The value of a property is not valid for the type that the user has set.
  case valueType(property: String, ValueType)
  /// A line or an area breaks a rule.
  case invalidGeometry(GeometryError.Kind)
  /// The geometry is not of the kinds that the property holds.
  case geometryKind(ValueType)
  /// Any other reason, as text.
  case other(String)

  init(stringLiteral value: String) { self = .other(value) }

  /// The reason in words.
  var text: String {
    switch self {
    case .geometryType(let type): "\(type) is not a Point"
    case .valueType(let property, let type): "`\(property)` is not a valid \(type)"
    case .invalidGeometry(let rule): rule.summary
    case .geometryKind(let type): "the geometry is not a \(type.name)"
    case .other(let text): text
    }
  }
}

extension GeometryError.Kind {
  /// The broken rule in words.
  fileprivate var summary: String {
    switch self {
    case .closed: "a ring is not closed"
    case .tooFewPoints: "too few points"
    case .notFinite: "a coordinate is not finite"
    case .outOfRange: "a coordinate is out of range"
    case .selfIntersection: "a ring crosses or touches itself"
    case .holeOutsideOuterRing: "a hole is not inside its outer ring"
    case .holesCross: "holes cross"
    case .sharedEdge: "rings share an edge"
    case .duplicateVertex: "a ring visits a vertex twice"
    case .nesting: "an area lies inside another"
    case .emptyHole: "a hole is empty"
    case .overlap: "polygons overlap"
    default: "invalid geometry"
    }
  }
}

/// The rejected records of one block or of a whole import.
struct RejectLog: Sendable {
  /// The number of records that are kept with their details.
  static let kept = 10

  private(set) var count = 0
  private(set) var first: [RejectedRecord] = []
  private(set) var byReason: [RejectReason: Int] = [:]

  mutating func add(_ rejection: RejectedRecord) {
    count += 1
    byReason[rejection.reason, default: 0] += 1
    if first.count < Self.kept { first.append(rejection) }
  }

  /// Adds the log of another block, which may precede this one.
  mutating func add(_ other: RejectLog) {
    count += other.count
    byReason.merge(other.byReason, uniquingKeysWith: +)
    first = Array((first + other.first).sorted { $0.position < $1.position }.prefix(Self.kept))
  }
}

extension RejectLog {
  /// The reasons with the number of records rejected for each, the most frequent first.
  var reasons: [(reason: RejectReason, count: Int)] {
    byReason.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason.text) < ($0.count, $1.reason.text) }
  }
}

/// The reason why parsing a block ended early.
enum ParseAbort: Error {
  /// A record cannot be stored, and the policy is to fail then.
  case rejected(RejectedRecord)
  /// A value does not have the type that was inferred for its column.
  case contradiction(column: String)
  /// The input is damaged beyond one record.
  case failed(ImportError)
}

extension ParseAbort {
  /// Calls `body` and wraps its error as `.failed`.
  static func on<R>(_ body: () throws(ImportError) -> R) throws(ParseAbort) -> R {
    do throws(ImportError) { return try body() } catch { throw .failed(error) }
  }

  /// Calls `body` and wraps the store's error as `.failed`.
  static func onStore<R>(_ body: () throws(StoreError) -> R) throws(ParseAbort) -> R {
    do throws(StoreError) { return try body() } catch { throw .failed(ImportError(error)) }
  }
}
