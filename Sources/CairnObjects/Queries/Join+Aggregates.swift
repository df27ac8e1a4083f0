import CairnQuery
import CairnStorage
import CairnValues

/// Groups of the pairs by properties of either side.
extension Join {
  /// The number of pairs for each value of a property of either side, in ascending order of the
  /// values. Makes no pairs.
  ///
  ///     for group in join.aggregate(by: \.right.name) { print(group.key, group.count) }
  ///
  /// Left objects of an outer join that are in no pair are in no group.
  public func aggregate<Key: _Persistable>(
    by keyPath: KeyPath<JoinedPair<Left, Right>, Key>
  ) -> [KeyedAggregate<Key, Never>] where Right: _JoinedObject {
    groups(by: keyPath, of: nil).map { group in
      KeyedAggregate(
        key: group.key(), count: group.count, min: nil, max: nil, sum: nil, average: nil)
    }
  }

  /// The totals of a property of either side for each value of a property of either side, in
  /// ascending order of the latter. An object counts once for each pair that it is in. Makes no
  /// pairs.
  ///
  ///     for group in join.aggregate(of: \.left.population, by: \.right.name) {
  ///       print(group.key, group.sum ?? 0)
  ///     }
  ///
  /// Left objects of an outer join that are in no pair are in no group.
  @_disfavoredOverload
  public func aggregate<Key: _Persistable, Value: _Persistable>(
    of property: KeyPath<JoinedPair<Left, Right>, Value>,
    by keyPath: KeyPath<JoinedPair<Left, Right>, Key>
  ) -> [KeyedAggregate<Key, Value>] where Right: _JoinedObject {
    keyed(of: property, by: keyPath)
  }

  /// The totals of an optional property of either side for each value of a property of either side,
  /// in ascending order of the latter.
  public func aggregate<Key: _Persistable, Value: _Persistable>(
    of property: KeyPath<JoinedPair<Left, Right>, Value?>,
    by keyPath: KeyPath<JoinedPair<Left, Right>, Key>
  ) -> [KeyedAggregate<Key, Value>] where Right: _JoinedObject {
    keyed(of: property, by: keyPath)
  }

  private func keyed<Key: _Persistable, Value>(
    of property: PartialKeyPath<JoinedPair<Left, Right>>,
    by keyPath: KeyPath<JoinedPair<Left, Right>, Key>
  ) -> [KeyedAggregate<Key, Value>] where Right: _JoinedObject {
    let name = JoinedPair.property(at: property).name
    return groups(by: keyPath, of: property).map { group in
      KeyedAggregate(key: group.key(), count: group.count, of: group.summaries[0], property: name)
    }
  }

  private func groups(
    by keyPath: PartialKeyPath<JoinedPair<Left, Right>>,
    of property: PartialKeyPath<JoinedPair<Left, Right>>?
  ) -> [Group] where Right: _JoinedObject {
    let key = JoinedPair.property(at: keyPath)
    let summarised = property.map { [JoinedPair.property(at: $0)] } ?? []
    return run { join in
      for read in summarised + [key] {
        try (read.side == .left ? left : right).track(reading: [PropertyPath(names: read.name)])
      }
      return try join.groups(by: [key], summarising: summarised)
    }
  }
}

/// The right objects of a join, or of an outer join.
public protocol _JoinedObject {
  /// Returns an object that records which properties a key path reads.
  static func _recorder(_ recording: _PropertyRecording) -> Self
}

/// The properties that a key path reads.
public struct _PropertyRecording {
  let trace: KeyPathTracer.Trace
}

extension ObjectBase: _JoinedObject {
  public static func _recorder(_ recording: _PropertyRecording) -> Self {
    KeyPathTracer.recorder(self, trace: recording.trace)
  }
}

extension Optional: _JoinedObject where Wrapped: _JoinedObject {
  public static func _recorder(_ recording: _PropertyRecording) -> Wrapped? {
    Wrapped._recorder(recording)
  }
}

extension JoinedPair where Left: ObjectBase, Right: _JoinedObject {
  /// Returns the property of either side at the end of a key path. A key path that reads no stored
  /// property, or properties of both sides, is a programming error.
  fileprivate static func property(
    at keyPath: PartialKeyPath<JoinedPair>
  ) -> JoinExecution.Property {
    let (left, right) = (KeyPathTracer.Trace(), KeyPathTracer.Trace())
    let pair = JoinedPair(
      left: KeyPathTracer.recorder(Left.self, trace: left),
      right: Right._recorder(_PropertyRecording(trace: right)), distance: nil)
    _ = pair[keyPath: keyPath]
    guard left.names.isEmpty != right.names.isEmpty else {
      programmingError(
        "A join is grouped by stored properties of one side: \\.left.name or \\.right.name.")
    }
    return left.names.isEmpty
      ? JoinExecution.Property(.right, name: right.names.joined(separator: "."))
      : JoinExecution.Property(.left, name: left.names.joined(separator: "."))
  }
}
