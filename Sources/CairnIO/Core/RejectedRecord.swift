package import CairnGeometry
package import CairnValues

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

/// A record that cannot be stored, and the reason.
package struct RejectedRecord: Sendable {
  /// The position of the record.
  package let position: InputPosition
  let reason: RejectReason
  /// The reason with the value and the remedy.
  package let detail: ImportMessage

  package init(position: InputPosition, reason: RejectReason, detail: ImportMessage) {
    self.position = position
    self.reason = reason
    self.detail = detail
  }
}

/// The reason that several rejected records can share, such as `latitude is missing`.
package enum RejectReason: Hashable, Sendable, ExpressibleByStringInterpolation {
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

  package init(stringLiteral value: String) { self = .other(value) }

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
package struct RecordLog: Sendable {
  /// The number of records that are kept with their details.
  package static let kept = 10

  private(set) var count = 0
  private(set) var first: [RejectedRecord] = []
  private(set) var byReason: [RejectReason: Int] = [:]
  /// The geometries that were changed.
  package var changes = GeometryChanges()

  package init() {}

  /// Adds a rejected record.
  package mutating func add(_ rejection: RejectedRecord) {
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
