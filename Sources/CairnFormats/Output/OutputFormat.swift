package import CairnValues

/// The shapes in which rows can be written.
package enum OutputFormat: String, Sendable, CaseIterable {
  /// Aligned columns for people.
  case table
  case csv
  /// One array of objects.
  case json
  /// One object a line.
  case jsonl
  /// One FeatureCollection.
  case geojson
  /// One Feature a line.
  case geojsonl
}

/// A column of the output.
package struct OutputColumn: Sendable {
  package enum Source: Sendable, Equatable {
    /// The column of the table at that position.
    case stored(Int)
    /// The value at that place among those given with each row.
    case given(Int)
  }

  package let name: String
  package let type: ValueType
  package let source: Source

  package init(name: String, type: ValueType, source: Source) {
    self.name = name
    self.type = type
    self.source = source
  }
}

/// Why writing stopped.
package enum OutputError: Error, Sendable, Equatable {
  /// The reader went away, as `head` does: no fault of anyone.
  case closed
  /// The device is full.
  case diskFull
  /// Writing failed, with the system's error number.
  case io(Int32)
  /// The format needs a location column, and none is among those chosen.
  case noLocation
  /// A location has no place in the coordinate system; the sentence says why.
  case outsideSystem(String)
  /// The format cannot say which coordinate system it is in; the sentence says why.
  case systemUnsaid(String)
}
