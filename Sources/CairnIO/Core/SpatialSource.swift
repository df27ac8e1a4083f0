package import CairnValues

/// A part of each record that holds a location or a geometry.
package struct SpatialSource: Hashable, Sendable {
  /// The property that the source fills; nil if it depends on the geometries, because the source is
  /// the only one of its file.
  let name: String?

  /// The only source of a file.
  package static let only = SpatialSource(name: nil)
}

/// The kinds of geometries seen in a source. Sets can be united in any order.
package struct SpatialEvidence: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A geometry other than a point.
  package static let shape = SpatialEvidence(rawValue: 1)
  /// A third coordinate.
  package static let altitude = SpatialEvidence(rawValue: 2)
}

/// The form in which a reader delivers what a source holds.
package enum SpatialForm: Sendable, Equatable {
  /// The form is not known yet: points are delivered as such, and other geometries are only noted.
  case inferred
  /// Points. If that is assumed, another geometry contradicts the plan; otherwise it is rejected.
  case points(isAssumed: Bool, isRequired: Bool = true)
  /// Packed geometries of a type.
  case geometries(ValueType, isRequired: Bool)

  /// The treatment of a record that holds no geometry.
  package enum Missing {
    /// Its column is null.
    case null
    /// The record is rejected.
    case rejected
    /// The record contradicts the plan: it can be stored if another one has a line or an area.
    case contradicted
  }

  /// Returns the treatment of a record that holds no geometry.
  package var missing: Missing {
    switch self {
    case .inferred, .geometries(_, isRequired: false), .points(_, isRequired: false): .null
    case .points(isAssumed: true, _): .contradicted
    case .points, .geometries: .rejected
    }
  }
}
