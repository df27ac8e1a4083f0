import CairnGeometry
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// A column and the formula that computes its new values.
struct Assignment {
  let column: ColumnSchema
  let formula: BoundFormula
  /// The value, if it is the same for every row.
  let constant: Value?

  /// Checks that the column can hold the formula's values.
  init(_ text: AssignmentText, to column: ColumnSchema, of source: OpenedClass) throws {
    self.column = column
    formula = try text.bound(to: source)
    guard column.collection == .none, !column.isLink, column.type != .mixed else {
      throw Failure(
        .usage, message: "--set cannot change '\(column.name)', a \(column.typeText)")
    }
    guard formula.type == nil || Self.isConvertible(formula.type, to: column.type) else {
      throw Self.mismatch(formula, column: column)
    }
    constant = try formula.constant.map { value in
      do throws(ConversionError) {
        let constant = try Self.converted(value, to: column.type)
        try Self.requireValid(constant)
        return constant
      } catch {
        throw Failure(.usage, message: "--set \(column.name): \(error.message)")
      }
    }
    if constant?.isNull == true || formula.type == nil, !column.isNullable {
      throw Failure(.usage, message: "--set: '\(column.name)' cannot be null")
    }
  }

  private static func mismatch(_ formula: BoundFormula, column: ColumnSchema) -> Failure {
    let text = formula.text.trimmingSpaces()
    return Failure(
      .usage,
      message: "--set: '\(column.name)' is of type \(column.type.name), "
        + "and \(text) of type \(formula.type?.name ?? "null")")
  }

  /// Sets the column of rows to the constant.
  func applyConstant(to keys: [Int], writer: TableWriter) throws {
    guard let constant else { return }
    do throws(StoreError) {
      try writer.set(constant, position: column.position, at: keys)
    } catch { throw Failure(.badData, message: "--set \(column.name): \(message(error))") }
  }

  /// Sets the column of rows to the results of the formula.
  ///
  /// - Throws: An error that names the row whose value the column cannot hold.
  func apply(
    _ results: FormulaVector, to keys: ArraySlice<Int>, writer: TableWriter
  ) throws(FormulaError) {
    var values: [Value] = []
    values.reserveCapacity(keys.count)
    var failure: FormulaError?
    for (row, key) in keys.enumerated() {
      do throws(ConversionError) {
        values.append(try Self.converted(results.value(row), to: column.type))
      } catch {
        failure = FormulaError(key: key, message: error.message)
        break
      }
    }
    do throws(RowError) {
      try writer.set(values, position: column.position, at: keys.prefix(values.count))
    } catch { throw FormulaError(key: error.key, message: message(error.cause)) }
    if let failure { throw failure }
  }

  private func message(_ error: StoreError) -> String {
    error.kind == .duplicateKey ? Self.sharedKey(column.name) : error.message
  }

  /// The message for rows that would have the same primary key.
  static func sharedKey(_ name: String) -> String {
    "two rows would have the same \(name), which is the primary key"
  }
}

/// A value that a column cannot hold.
struct ConversionError: Error {
  let message: String
}

/// Conversion of the values of formulas to the types of columns.
extension Assignment {
  /// Whether values of a formula's type can be converted to that of a column.
  fileprivate static func isConvertible(_ type: ValueType?, to other: ValueType) -> Bool {
    switch (type, other) {
    case (.int, .double), (.int, .float), (.int, .decimal128), (.double, .int), (.double, .float),
      (.double, .decimal128), (.string, .date), (.string, .point), (.string, .uuid),
      (.string, .objectId),
      (.point, .geometry), (.geometry, .point),
      (.geometry, _) where other.isSpatial:
      true
    case (.string, _): other == .string || other.isGeometry
    case (let type?, _): type == other || (type.isGeometry && other.isGeometry)
    case (nil, _): true
    }
  }

  /// The value as a column of that type holds it.
  fileprivate static func converted(
    _ value: Value, to type: ValueType
  ) throws(ConversionError) -> Value {
    switch (value, type) {
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .float): return .float(Float(number))
    case (.int(let number), .decimal128): return .decimal(Decimal128(number))
    case (.double(let number), .int): return .int(try whole(number))
    case (.double(let number), .float): return .float(Float(number))
    case (.double(let number), .decimal128): return .decimal(Decimal128(number))
    case (.string(let text), _) where type != .string: return try parsed(text, as: type)
    case (.geometry(let bytes), .point): return .point(try position(Geometry(packed: bytes)))
    case (.point(let position), .geometry): return .geometry(try geometry(position).bytes)
    default: return value
    }
  }

  private static func whole(_ number: Double) throws(ConversionError) -> Int64 {
    guard let whole = Int64(exactly: number) else {
      let hint = number == number.rounded() || !number.isFinite ? "" : "; round() rounds it"
      throw ConversionError(message: "\(ValueText.text(number)) is not an int\(hint)")
    }
    return whole
  }

  /// Reads a text as a value of another type.
  private static func parsed(
    _ text: String, as type: ValueType
  ) throws(ConversionError) -> Value {
    switch type {
    case .date:
      if let seconds = ISODate.parse(text) { return .date(seconds) }
      throw ConversionError(message: "'\(text)' is not a date such as 2024-05-01T12:00:00Z")
    case .uuid:
      if let id = UUIDBytes(text) { return .uuid(id) }
    case .objectId:
      if let id = ObjectId(digits: text) { return .objectId(id) }
    case .point: return .point(try position(text))
    default: if type.isGeometry { return .geometry(try geometry(text).bytes) }
    }
    throw ConversionError(message: "'\(text)' is not a \(type.name)")
  }

  /// Reads a location: `47.56,7.59`, latitude first, or `POINT (7.59 47.56)`.
  private static func position(_ text: String) throws(ConversionError) -> Position {
    guard text.contains("(") else {
      do {
        let point = try Coordinates.point(text)
        return Position(latitude: point.latitude, longitude: point.longitude)
      } catch { throw ConversionError(message: "'\(text)': \(error)") }
    }
    return try position(geometry(text))
  }

  /// The location of a geometry that is a point.
  private static func position(_ geometry: Geometry) throws(ConversionError) -> Position {
    guard let point = geometry.point else {
      throw ConversionError(message: "\(geometry) is not a point; centroid() is one")
    }
    // A location may lie below sea level, unlike a `GeoPoint`.
    return Position(
      latitude: point.latitude, longitude: point.longitude,
      altitude: geometry.withView { $0.altitude(0) } ?? 0)
  }

  /// The point of a location.
  private static func geometry(_ position: Position) throws(ConversionError) -> Geometry {
    var builder = GeometryBuilder()
    builder.appendPoint(
      longitude: position.longitude, latitude: position.latitude, altitude: position.altitude)
    do throws(GeometryError) { return try Geometry(builder) } catch {
      throw ConversionError(message: error.message)
    }
  }

  /// Throws for an invalid geometry, such as one of `geometry('POLYGON (…)')`.
  fileprivate static func requireValid(_ value: Value) throws(ConversionError) {
    guard case .geometry(let bytes) = value else { return }
    let fault = bytes.withUnsafeBytes { bytes -> GeometryError? in
      do throws(GeometryError) {
        try GeometryView(bytes).validate(edges: .planar)
        return nil
      } catch { return error }
    }
    if let fault { throw ConversionError(message: fault.message) }
  }

  private static func geometry(_ text: String) throws(ConversionError) -> Geometry {
    do throws(GeometryError) {
      let geometry = try Geometry(wkt: text)
      try geometry.validate(edges: .planar)
      return geometry
    } catch {
      throw ConversionError(message: error.message)
    }
  }
}
