package import CairnValues

/// The shapes in which rows can be written.
package enum OutputFormat: String, Sendable, CaseIterable {
  /// Aligned columns for people.
  case table
  case csv
  /// CSV with tabs in place of commas.
  case tsv
  /// One array of objects.
  case json
  /// One object a line.
  case jsonl
  /// One FeatureCollection.
  case geojson
  /// One Feature a line.
  case geojsonl
  /// One `POINT` a line: the locations alone.
  case wkt
  /// A table as GitHub and others draw it.
  case markdown
  /// A map in the terminal.
  case map
  /// A map as a picture.
  case svg
  /// A map as a page that needs nothing else.
  case html

  /// Whether a row without a location has no place in the format.
  package var needsLocation: Bool {
    switch self {
    case .geojson, .geojsonl, .wkt, .map, .svg, .html: true
    case .table, .csv, .tsv, .json, .jsonl, .markdown: false
    }
  }

  /// Whether the format is read by people rather than by programs.
  package var isForPeople: Bool {
    switch self {
    case .table, .markdown, .map, .svg, .html: true
    case .csv, .tsv, .json, .jsonl, .geojson, .geojsonl, .wkt: false
    }
  }

  /// Whether the rows are drawn on a map, in degrees of WGS 84.
  package var isPicture: Bool { self == .map || self == .svg || self == .html }
}

/// What can be had of a location by itself.
package enum LocationPart: String, Sendable, CaseIterable {
  /// Degrees.
  case latitude
  case longitude
  /// The place as well-known text, in the coordinate system of the output.
  case wkt

  /// The type of its values.
  package var type: ValueType { self == .wkt ? .string : .double }
}

/// A column of the output.
package struct OutputColumn: Sendable {
  package enum Source: Sendable, Equatable {
    /// The column of the table at that position.
    case stored(Int)
    /// A part of the location in the column at that position.
    case part(LocationPart, of: Int)
    /// The value at the end of a path, or a part of the location there. Every column but the last leads to one object.
    case path([Int], LocationPart?)
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

  /// The part of a location that the column shows; nil: all of its values.
  package var part: LocationPart? {
    switch source {
    case .part(let part, _): part
    case .path(_, let part): part
    case .stored, .given: nil
    }
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
  /// A value holds more than 512 objects and collections within one another.
  case tooDeep
  /// The format cannot say which coordinate system it is in; the sentence says why.
  case systemUnsaid(String)
}
