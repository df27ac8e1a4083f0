import CairnGeometry
import CairnQuery
import CairnValues

extension Predicate {
  /// Reads a condition in the predicate language, with arguments for its `%@`, `%K`, `%d` and `$0`.
  ///
  /// Arguments: whatever a property can hold, objects, enumerations and custom types included; optionals of
  /// it, arrays and sets of it, closed ranges; `GeoCircle GeoBox GeoPolygon`. Nil and `NSNull` are null.
  ///
  /// - Throws: `PredicateError` with the place.
  public init(_ format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments)
  }

  /// The same with the arguments in an array.
  ///
  /// - Throws: `PredicateError` with the place.
  public init(format: String, argumentArray: [Any?]) throws {
    try self.init(format: format, argumentArray: argumentArray, in: nil)
  }

  /// The same for a realm, which the objects among the arguments have to be of.
  init(format: String, argumentArray: [Any?], in session: Session?) throws {
    var arguments: [PredicateArgument] = []
    for (number, argument) in argumentArray.enumerated() {
      guard let converted = PredicateArgument(argument, in: session) else {
        throw PredicateError(
          .argument,
          "Argument \(number) is of type \(Swift.type(of: Bridge.unwrapped(argument) ?? ())), "
            + "which no predicate takes.",
          text: format)
      }
      arguments.append(converted)
    }
    try self.init(parsing: format, arguments: arguments)
  }
}

extension PredicateArgument {
  /// What a Swift value stands for in a predicate; nil where it stands for nothing.
  init?(_ argument: Any?, in session: Session? = nil) {
    if let value = QueryConstant.value(of: argument, in: session) {
      self = .value(value)
      return
    }
    switch Bridge.unwrapped(argument) {
    case let circle as GeoCircle: self = .shape(.circle(circle))
    case let box as GeoBox: self = .shape(.box(box))
    case let polygon as GeoPolygon: self = .shape(.polygon(polygon))
    case let range as any BoundedRange:
      guard let lower = QueryConstant.value(of: range.ends.0, in: session),
        let upper = QueryConstant.value(of: range.ends.1, in: session)
      else { return nil }
      self = .range(lower, upper, isClosed: range.isClosed)
    case let list as any Sequence:
      self.init(list: PredicateArgument.elements(of: list), in: session)
    default: return nil
    }
  }

  private init?(list: [Any], in session: Session?) {
    let values = list.compactMap { QueryConstant.value(of: $0, in: session) }
    guard values.count == list.count else { return nil }
    self = .list(values)
  }

  private static func elements(of sequence: some Sequence) -> [Any] {
    sequence.map { $0 as Any }
  }
}

/// A range with two ends, for `BETWEEN` and `IN`.
private protocol BoundedRange {
  var ends: (Any, Any) { get }
  /// Whether the upper end is part of it.
  var isClosed: Bool { get }
}

extension ClosedRange: BoundedRange {
  fileprivate var ends: (Any, Any) { (lowerBound, upperBound) }
  fileprivate var isClosed: Bool { true }
}

extension Range: BoundedRange {
  fileprivate var ends: (Any, Any) { (lowerBound, upperBound) }
  fileprivate var isClosed: Bool { false }
}
