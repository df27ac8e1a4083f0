public import CairnGeometry
internal import CairnIO
internal import CairnObjects
internal import CairnStorage
public import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A record of a file: a row of CSV, a Feature of GeoJSON, an object of JSON, a row of a layer.
///
/// A record does not change, and may be kept and passed to other tasks. It keeps the part of the
/// file that it was read with in memory, about a megabyte, so copy the values of records that you
/// collect.
public struct Record: Sendable {
  private let batch: RecordBatch
  private let row: Int

  init(_ batch: RecordBatch, row: Int) {
    self.batch = batch
    self.row = row
  }

  /// The line on which the record begins, from 1; nil for a row of a layer that GDAL reads.
  public var line: Int? { batch.isLayer ? nil : batch.numbers[row] }

  /// The number of the row in its layer, from 1; nil for a record of a text file.
  public var feature: Int? { batch.isLayer ? batch.numbers[row] : nil }

  /// The names of the properties, in the order of the file. JSON may add names on the way.
  public var names: [String] { batch.names }

  /// The value of a property; null if the record has none.
  public subscript(name: String) -> RecordValue {
    batch.index(of: name).map { value($0) } ?? .null
  }

  /// The values of all properties, in the order of ``names``.
  public var values: [RecordValue] { batch.names.indices.map { value($0) } }

  /// The location, if the record has one that is a point.
  public var location: GeoPoint? { batch.spatial.flatMap { value($0).location } }

  /// The geometry, which may be a point; nil if the record has none.
  public var geometry: Geometry? { batch.spatial.flatMap { value($0).geometry } }

  private func value(_ column: Int) -> RecordValue { RecordValue(batch.value(column, row: row)) }
}

/// A value of a ``Record``.
public enum RecordValue: Hashable, Sendable {
  /// No value.
  case null
  /// A Boolean.
  case bool(Bool)
  /// An integer.
  case int(Int)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// A decimal number of 34 digits.
  case decimal128(Decimal128)
  /// A text; an array or an object of JSON is its text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// An object ID.
  case objectId(ObjectId)
  /// A UUID.
  case uuid(UUID)
  /// A location, in degrees of WGS 84.
  case location(GeoPoint)
  /// A geometry, in degrees of WGS 84.
  case geometry(Geometry)

  /// Whether the value is null.
  public var isNull: Bool { self == .null }

  /// The Boolean; nil for any other value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer; nil for any other value.
  public var int: Int? { if case .int(let value) = self { value } else { nil } }

  /// The number; nil for any other value. An integer is converted.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The text; nil for any other value.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The date; nil for any other value.
  public var date: Date? { if case .date(let value) = self { value } else { nil } }

  /// The location; nil for any other value.
  public var location: GeoPoint? {
    switch self {
    case .location(let value): value
    case .geometry(let value) where value.kind == .point: value.point
    default: nil
    }
  }

  /// The geometry, which may be a point; nil for any other value.
  public var geometry: Geometry? {
    switch self {
    case .location(let value): Geometry(value)
    case .geometry(let value): value
    default: nil
    }
  }

  /// Makes the value of a stored one.
  package init(_ value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int(value))
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal128(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(Data(value))
    case .date(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
    case .objectId(let value): self = .objectId(value)
    case .uuid(let value): self = .uuid(UUID(value))
    case .point(let value):
      let point = GeoPoint(latitude: value.latitude, longitude: value.longitude)
      self = point.map(RecordValue.location) ?? .null
    case .geometry(let value): self = .geometry(Geometry(packed: value))
    default: self = .null
    }
  }
}
