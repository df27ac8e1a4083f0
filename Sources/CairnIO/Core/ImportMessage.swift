/// An option of an import that a message refers to. The cases are named after the properties of
/// ``ImportOptions``, ``GeometryOptions`` and ``FieldReading``.
package enum ImportOption: Sendable, Equatable {
  /// Names the class.
  case className
  /// Names the format of the files.
  case format
  /// Names the layer.
  case layer
  /// Sets a setting of GDAL, as in `NAME=VALUE`.
  case gdalSettings
  /// Names the coordinate system.
  case coordinateSystem
  /// Names the column of the eastward coordinate.
  case x
  /// Names the column of the northward coordinate.
  case y
  /// Names the column of the latitudes.
  case latitude
  /// Names the column of the longitudes.
  case longitude
  /// Names a column that holds both coordinates, latitude first.
  case latitudeFirstColumn
  /// Names a column that holds both coordinates, longitude first.
  case longitudeFirstColumn
  /// Names the column of geometries.
  case geometryColumn
  /// Wraps longitudes between 180 and 360.
  case wrapsLongitudes
  /// Says that the files have no coordinates.
  case hasNoLocation
  /// Names the property that holds the coordinates.
  case locationName
  /// Stores rows without a location.
  case allowsMissing
  /// Makes each point of a MultiPoint a row.
  case takesEachPoint
  /// Derives a point from other geometries.
  case pointOf
  /// Repairs invalid geometries.
  case repairs
  /// Names the delimiter of CSV fields.
  case delimiter
  /// Names the byte that begins a comment.
  case comment
  /// Says that no line is a comment.
  case hasNoComments
  /// Says that numbers have a decimal comma.
  case hasDecimalCommas
  /// Names what separates thousands.
  case thousands
  /// Skips lines above the header.
  case skippedLines
  /// Says that the first line is data.
  case hasNoHeader
  /// Fills rows that are too short with nulls.
  case fillsRows
  /// Names the encoding of the text.
  case encoding
  /// Lists the texts that mean null.
  case nulls
  /// Names the format of dates.
  case dateFormat
  /// Names the zone of times without one.
  case timeZone
  /// Sets the type of a property, as in `n=int`.
  case types
  /// Names the property that a column becomes, as in `Ort=city`.
  case renamedColumns
  /// Leaves out columns of the files.
  case droppedColumns
  /// Names the primary key.
  case primaryKey
  /// Names the property for the names of the files.
  case fileNameProperty
  /// Sets a property to the values of a formula.
  case formulas
  /// Sets the condition that rows must meet.
  case condition
  /// Names the boxes that rows must be in.
  case boxes
  /// Sets the least distance between rows.
  case spacing
  /// Names the property by whose values rows are changed.
  case updateKey
  /// Decides about rows whose key already exists.
  case onConflict
  /// Decides about records that cannot be stored.
  case onError
}

/// An option as a message uses it, with its value if the message gives one.
package struct OptionUse: Sendable, Equatable {
  package let option: ImportOption
  package let value: String?

  /// Creates a use of an option.
  package init(_ option: ImportOption, value: String? = nil) {
    self.option = option
    self.value = value
  }
}

/// The text of an error, a note or a rejected record.
///
/// An import is not only run from a shell, so its messages refer to options instead of spelling
/// them: `"name the system with \(option: .coordinateSystem, "EPSG:n")"`.
/// ``rendered(options:pipe:)`` lets the caller spell them; ``description`` uses the names of this
/// module.
package struct ImportMessage: Sendable, Equatable {
  /// A part of a message.
  package enum Part: Sendable, Equatable {
    /// Plain text.
    case text(String)
    /// Options that are used together.
    case options([OptionUse])
    /// A command whose output is to be imported; `namesClass` if the class must be named, too.
    case pipe(command: String, namesClass: Bool)
  }

  /// The parts in order.
  package private(set) var parts: [Part]

  /// Creates a message from plain text.
  package init(_ text: String) { parts = [.text(text)] }

  /// Returns the message as text.
  ///
  /// - Parameters:
  ///   - options: Returns the spelling of options that are used together.
  ///   - pipe: Returns the command line that imports the output of a command.
  package func rendered(
    options: ([OptionUse]) -> String, pipe: (_ command: String, _ namesClass: Bool) -> String
  ) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let words): text += words
      case .options(let uses): text += options(uses)
      case .pipe(let command, let namesClass): text += pipe(command, namesClass)
      }
    }
  }

  /// Joins messages with a separator.
  static func joined(_ messages: [ImportMessage], separator: String) -> ImportMessage {
    messages.dropFirst().reduce(messages.first ?? "") { $0 + ImportMessage(separator) + $1 }
  }

  /// Joins two messages.
  package static func + (first: ImportMessage, second: ImportMessage) -> ImportMessage {
    var both = first
    both += second
    return both
  }

  /// Appends a message.
  package static func += (first: inout ImportMessage, second: ImportMessage) {
    first.parts += second.parts
  }
}

extension ImportMessage: CustomStringConvertible {
  /// The message with options in the names of this module, as in `coordinateSystem: EPSG:n`.
  package var description: String {
    rendered { uses in
      let words = uses.map { use in use.value.map { "\(use.option): \($0)" } ?? "\(use.option)" }
      return "`\(words.joined(separator: ", "))`"
    } pipe: { command, _ in
      "`\(command)`"
    }
  }
}

extension ImportMessage: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Collects the parts of a message literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(interpolationCount * 2 + 1)
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    /// Appends a value as text.
    package mutating func appendInterpolation<T>(_ value: T) { parts.append(.text("\(value)")) }

    /// Appends the parts of another message.
    package mutating func appendInterpolation(_ message: ImportMessage) { parts += message.parts }

    /// Appends a reference to an option.
    package mutating func appendInterpolation(option: ImportOption, _ value: String? = nil) {
      parts.append(.options([OptionUse(option, value: value)]))
    }

    /// Appends a reference to options that are used together.
    package mutating func appendInterpolation(options uses: OptionUse...) {
      parts.append(.options(uses))
    }

    /// Appends a command whose output is to be imported.
    package mutating func appendInterpolation(pipe command: String, namesClass: Bool = false) {
      parts.append(.pipe(command: command, namesClass: namesClass))
    }
  }
}

extension DefaultStringInterpolation {
  /// A message inside a string would lose the spelling of its options; interpolate it into another
  /// message.
  @available(*, unavailable, message: "declare the string as an ImportMessage")
  mutating func appendInterpolation(_ message: ImportMessage) {}
}
