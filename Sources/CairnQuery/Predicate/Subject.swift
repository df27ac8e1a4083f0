import CairnValues

/// What a condition speaks of: a property, or a number made of a collection.
package indirect enum Subject: Hashable, Sendable {
  /// `name`, `ANY dogs.age`.
  case path(PropertyPath)
  /// `dogs.@avg.age`, `scores.@max`: of the elements of a collection, or of what lies below each.
  ///
  /// Nulls and NaN are left out. Of nothing the sum is 0 and the rest null. In a bound predicate the path ends
  /// at the collection and `of` begins below it, wherever the text had the operator.
  case aggregate(AggregateFunction, PropertyPath, of: PropertyPath?)
  /// `dogs.@count`, or the length of a text or of data: `name.@count`; with a condition `SUBQUERY(dogs, $x, $x.age > 5).@count`, whose paths begin at an element.
  case count(PropertyPath, where: Node?)

  /// The property of that name on the object itself.
  package static func property(_ name: String) -> Subject { .path(PropertyPath(name)) }
}

extension Subject {
  /// The same with another quantifier on its path.
  func with(_ quantifier: PropertyPath.Quantifier) -> Subject {
    switch self {
    case .path(let path): .path(path.with(quantifier))
    case .aggregate(let function, let path, let below):
      .aggregate(function, path.with(quantifier), of: below)
    case .count(let path, let condition): .count(path.with(quantifier), where: condition)
    }
  }

  /// The quantifier of its path.
  package var quantifier: PropertyPath.Quantifier {
    switch self {
    case .path(let path), .aggregate(_, let path, _), .count(let path, _): path.quantifier
    }
  }
}

/// What a subject is held against.
package enum Operand: Hashable, Sendable {
  case value(Value)
  case subject(Subject)
  /// A list or a map, for mixed values: `any == {1, 'x'}`.
  case collection(CollectionConstant)
}

/// The numbers that are made of a collection; the raw value is what stands behind the `@`.
package enum AggregateFunction: String, Hashable, Sendable, CaseIterable {
  case min
  case max
  case sum
  case avg
}
