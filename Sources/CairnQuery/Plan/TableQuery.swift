/// What to find in one class: where its rows come from, a condition, and what is done with those that meet it.
///
/// Building one costs nothing; `Execution` binds it to a table, and nothing runs before a result is asked for.
package struct TableQuery: Sendable {
  /// The rows that are asked.
  package enum Source: Sendable, Hashable {
    /// Every row of the class, by rising key.
    case all
    /// These rows in this order, one as often as it is named: what lists and inverse properties hold. Rows
    /// that do not live are passed over.
    case keys([Int])
  }

  /// One thing that is done with the rows of the step before.
  package enum Step: Sendable, Hashable {
    /// Most significant first. Rows that are equal in all of them stay as they stood.
    case sort([SortKey])
    /// Of rows that are equal in all of these properties only the first stays; rows for which a link on the
    /// way is null do not.
    case distinct([PropertyPath])
    /// Passes over rows, then takes some at most; nil: all.
    case limit(offset: Int, count: Int?)
  }

  /// The class.
  package var table: String
  package var source: Source
  package var predicate: Predicate
  /// Done one after the other, after the predicate.
  package var steps: [Step]

  package init(
    table: String, source: Source = .all, predicate: Predicate = .true, steps: [Step]
  ) {
    self.table = table
    self.source = source
    self.predicate = predicate
    self.steps = steps
  }

  /// The plain shape: predicate, sort, distinct, offset, limit.
  package init(
    table: String, source: Source = .all, predicate: Predicate = .true, sort: [SortKey] = [],
    distinct: [PropertyPath] = [], offset: Int = 0, limit: Int? = nil
  ) {
    self.init(table: table, source: source, predicate: predicate, steps: [])
    plain = PlainSteps(sort: sort, distinct: distinct, offset: offset, limit: limit)
  }
}

/// One key of an order.
package enum SortKey: Hashable, Sendable {
  /// By value: nulls before NaN before numbers, false before true, text by its UTF-8 bytes; the
  /// reverse when not `ascending`. A link on the way that is null comes last ascending, first descending.
  case property(PropertyPath, ascending: Bool)
  /// By great-circle distance of a location from a point in degrees. Rows without a location come
  /// last, whichever the direction.
  case distance(PropertyPath, longitude: Double, latitude: Double, ascending: Bool)

  /// By the property of that name.
  package static func property(_ name: String, ascending: Bool) -> SortKey {
    .property(PropertyPath(name), ascending: ascending)
  }

  /// By the distance of the location of that name.
  package static func distance(
    _ name: String, longitude: Double, latitude: Double, ascending: Bool
  ) -> SortKey {
    .distance(
      PropertyPath(name), longitude: longitude, latitude: latitude, ascending: ascending)
  }
}
