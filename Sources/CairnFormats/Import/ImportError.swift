internal import CairnGeometry
package import CairnStorage
import CairnSystem
internal import CairnValues

/// The reason why nothing was imported.
///
/// The message names the file, the line, the value and the remedy; options are called by the names
/// of the properties of ``ImportOptions``.
public struct ImportError: Error, CustomStringConvertible, Sendable {
  /// The kind of an error.
  public enum Kind: Sendable {
    /// An option does not fit the files.
    case usage
    /// The content of a file is invalid.
    case data
    /// A file does not exist or cannot be opened.
    case noInput
    /// Reading failed, or the disk is full.
    case io
    /// A required library or program is not installed.
    case library
    /// The store reported an error.
    case store
    /// The import was cancelled. Methods of realms throw `CancellationError` instead.
    case cancelled
  }

  /// The kind of the error.
  public let kind: Kind
  /// The record that cannot be stored, with its file, line, property and the reason; nil if the
  /// error is not about a record.
  public let row: RejectedRow?
  /// The message, which refers to options without spelling them.
  package let text: ImportMessage
  /// The error of the store, if the store reported one.
  package let storeError: StoreError?

  /// Creates an error of a kind.
  package init(_ kind: Kind, message: ImportMessage, row: RejectedRow? = nil) {
    self.kind = kind
    self.row = row
    text = message
    storeError = nil
  }

  /// Wraps an error of the store.
  package init(_ error: StoreError) {
    kind = .store
    row = nil
    text =
      error.kind == .duplicateKey
      ? "\(error.message); choose \(option: .onConflict, "replace") or \(option: .onConflict, "skip")"
      : ImportMessage(error.message)
    storeError = error
  }

  /// The file, the line, the value and the remedy in words.
  public var message: String { text.description }

  /// The message.
  public var description: String { message }
}

/// A record of a file that an import cannot store.
public struct RejectedRow: Sendable, Equatable, CustomStringConvertible {
  /// The name of the file, and of the layer if it has several.
  public let file: String
  /// The line, from 1; nil for a row of a layer that GDAL reads.
  public let line: Int?
  /// The number of the row in its layer, from 1; nil for a row of a text file.
  public let feature: Int?
  /// The property whose value does not fit; nil if the reason is another one.
  public let property: String?
  package let detail: ImportMessage

  init(_ record: RejectedRecord, file: String, line: Int?, feature: Int?) {
    self.file = file
    self.line = line
    self.feature = feature
    property = record.reason.property
    detail = record.detail
  }

  /// The reason in words, with the value and the remedy.
  public var reason: String { detail.description }

  /// The file, the line and the reason, as a message.
  package var text: ImportMessage {
    line.map { "\(file):\($0): \(detail)" } ?? "\(file), feature \(feature ?? 1): \(detail)"
  }

  /// The file, the line and the reason, as in `cities.csv:3: the latitude 91.0 is out of range`.
  public var description: String { text.description }
}

/// Ends an import that runs on other threads.
package final class Cancellation: Sendable {
  private let flag = Mutex(false)
  private let isRequested: @Sendable () -> Bool

  /// - Parameter isRequested: Returns whether something else, such as a signal, ends the import. Any
  ///   thread calls it.
  package init(isRequested: @escaping @Sendable () -> Bool = { false }) {
    self.isRequested = isRequested
  }

  /// Whether the import is to end.
  package var isCancelled: Bool { flag.withLock { $0 } || isRequested() }

  /// Ends the import at its next block.
  package func cancel() { flag.withLock { $0 = true } }

  /// Throws if the import is to end.
  func check() throws(ImportError) {
    if isCancelled { throw ImportError(.cancelled, message: "the import was cancelled") }
  }
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
  /// A value in a collection or in an embedded object does not fit the property.
  case nestedValue(property: String)
  /// The formula of a property has no value for the row.
  case formula(property: String)
  /// A property has no value and needs one.
  case missing(property: String)
  /// Any other reason, as text.
  case other(String)

  init(stringLiteral value: String) { self = .other(value) }

  /// The property whose value is the reason; nil for other reasons.
  var property: String? {
    switch self {
    case .valueType(let property, _), .missing(let property), .nestedValue(let property),
      .formula(let property):
      property
    case .geometryType, .invalidGeometry, .geometryKind, .other: nil
    }
  }

  /// The reason in words.
  var text: String {
    switch self {
    case .geometryType(let type): "\(type) is not a Point"
    case .valueType(let property, let type): "`\(property)` is not a valid \(type)"
    case .invalidGeometry(let rule): rule.summary
    case .geometryKind(let type): "the geometry is not a \(type.name)"
    case .missing(let property): "`\(property)` is missing"
    case .formula(let property): "the formula of `\(property)` has no value"
    case .nestedValue(let property): "a value in `\(property)` does not fit"
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
    case .disconnectedInterior: "the inside of an area is not connected"
    case .nesting: "an area lies inside another"
    case .emptyHole: "a hole is empty"
    case .overlap: "polygons overlap"
    default: "invalid geometry"
    }
  }
}

/// The rejected records, and the changed geometries of the others, of one block or of a whole import.
struct RecordLog: Sendable {
  /// The number of records that are kept with their details.
  static let kept = 10

  private(set) var count = 0
  private(set) var first: [RejectedRecord] = []
  private(set) var byReason: [RejectReason: Int] = [:]
  var changes = GeometryChanges()

  mutating func add(_ rejection: RejectedRecord) {
    count += 1
    byReason[rejection.reason, default: 0] += 1
    if first.count < Self.kept { first.append(rejection) }
  }

  /// Adds the log of another block, which may precede this one.
  mutating func add(_ other: RecordLog) {
    count += other.count
    byReason.merge(other.byReason, uniquingKeysWith: +)
    changes.add(other.changes)
    first = Array((first + other.first).sorted { $0.position < $1.position }.prefix(Self.kept))
  }
}

extension RecordLog {
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
  /// A record cannot be stored, whatever the policy is.
  case unstorable(RejectedRecord)
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
