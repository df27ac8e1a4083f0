import CairnGeometry
import CairnQuery
import CairnValues

extension Predicate {
  /// Reads a condition in the predicate language, with arguments for its `%@`, `%K`, `%d` and `$0`.
  ///
  /// Arguments: numbers, texts, `Bool Data Date ObjectId UUID Decimal128 GeoPoint`, optionals of them,
  /// arrays and sets of them, `GeoCircle GeoBox GeoPolygon`.
  ///
  /// - Throws: `PredicateError` with the place.
  public init(_ format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments)
  }

  /// The same with the arguments in an array.
  ///
  /// - Throws: `PredicateError` with the place.
  public init(format: String, argumentArray: [Any?]) throws {
    var arguments: [PredicateArgument] = []
    for (number, argument) in argumentArray.enumerated() {
      guard let converted = PredicateArgument(argument) else {
        throw PredicateError(
          .argument,
          "Argument \(number) is of type \(Swift.type(of: argument ?? ())), which no predicate takes.",
          text: format)
      }
      arguments.append(converted)
    }
    try self.init(parsing: format, arguments: arguments)
  }
}

extension PredicateArgument {
  /// What a Swift value stands for in a predicate; nil where it stands for nothing.
  init?(_ argument: Any?) {
    if let value = Bridge.value(argument) {
      self = .value(value)
      return
    }
    switch Bridge.unwrapped(argument) {
    case let circle as GeoCircle: self = .shape(.circle(circle))
    case let box as GeoBox: self = .shape(.box(box))
    case let polygon as GeoPolygon: self = .shape(.polygon(polygon))
    case let range as any BoundedRange: self.init(list: [range.lowest, range.highest])
    case let list as any Sequence: self.init(list: PredicateArgument.elements(of: list))
    default: return nil
    }
  }

  private init?(list: [Any]) {
    let values = list.compactMap { Bridge.value($0) }
    guard values.count == list.count else { return nil }
    self = .list(values)
  }

  private static func elements(of sequence: some Sequence) -> [Any] {
    sequence.map { $0 as Any }
  }
}

/// A range that holds both of its ends: what `BETWEEN` takes.
private protocol BoundedRange {
  var lowest: Any { get }
  var highest: Any { get }
}

extension ClosedRange: BoundedRange {
  fileprivate var lowest: Any { lowerBound }
  fileprivate var highest: Any { upperBound }
}
