internal import CairnStorage
internal import CairnValues

/// A value that a file holds as JSON: a collection, an embedded object, or links.
indirect enum NestedValue {
  /// A value, which may be null.
  case value(Value)
  /// The primary key of the object that a link leads to.
  case link(Value)
  /// An embedded object, with the values that the file has.
  case object([(column: ColumnSchema, value: NestedValue)])
  /// The elements of a list or a set.
  case list([NestedValue])
  /// The entries of a map.
  case map([(key: String, value: NestedValue)])

  /// Returns the value as a row stores it; nil if it contains objects, which have rows of their own.
  func stored(as column: ColumnSchema) -> Value? {
    guard !column.isLink else { return nil }
    switch self {
    case .value(let value): return value
    case .list(let elements):
      let values = elements.compactMap(\.single)
      return .data(
        column.collection == .set
          ? StoredCollection.encode(set: values, of: column.type)
          : StoredCollection.encode(values, of: column.type))
    case .map(let entries):
      let values = entries.compactMap { entry in
        entry.value.single.map { (key: entry.key, value: $0) }
      }
      return .data(StoredCollection.encode(map: values, of: column.type))
    case .link, .object: return nil
    }
  }

  private var single: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}

/// Reads JSON as the schema of a property says: what exports write for collections, embedded objects
/// and links.
struct NestedReader: Sendable {
  /// A value that does not fit its property.
  struct Misfit: Error {
    /// The value within the property, such as `tags[2]`.
    private(set) var path: String
    /// The reason, after the path, such as "is `x`, which is not a valid int".
    let problem: String

    /// Returns the same problem, seen from the property or the collection that contains the value.
    func inside(_ outer: String) -> Misfit {
      Misfit(path: outer + path, problem: problem)
    }
  }

  private let classes: StoreSchema
  private let reading: FieldReading

  /// - Parameters:
  ///   - classes: The classes of embedded and linked objects.
  ///   - reading: How dates are read.
  init(_ classes: StoreSchema, reading: FieldReading) {
    self.classes = classes
    self.reading = reading
  }

  /// Returns the class that a property leads to.
  func target(of column: ColumnSchema) -> TableSchema? {
    column.target.flatMap(classes.table)
  }

  /// Returns the type of the primary key by which a link names its object; nil for properties other
  /// than links.
  func keyType(of column: ColumnSchema) -> FieldType? {
    guard column.type == .link, let target = target(of: column), let key = target.primaryKey else {
      return nil
    }
    return FieldType(target.columns[key].type)
  }

  /// Returns the reason why a file cannot fill a property; nil if it can.
  func objection(to column: ColumnSchema) -> String? {
    var visited: Set<String> = []
    return objection(to: column, visited: &visited)
  }

  private func objection(to column: ColumnSchema, visited: inout Set<String>) -> String? {
    switch column.type {
    case .link:
      guard keyType(of: column) == nil else { return nil }
      return "objects of the class \(column.target ?? "") have no primary key"
    case .embedded:
      guard let target = target(of: column), visited.insert(target.name).inserted else {
        return nil
      }
      for inner in target.properties {
        guard let objection = objection(to: inner, visited: &visited) else { continue }
        return "`\(target.name).\(inner.name)` is of type \(inner.typeText): \(objection)"
      }
      return nil
    case .mixed: return "text does not tell the types of its values"
    default:
      return FieldType(column.type) == nil && column.type != .point
        ? "only a property of its own can hold such values" : nil
    }
  }

  /// Reads the text of a property.
  ///
  /// - Parameter text: The text. Some bytes after its end must be readable, as those of input blocks
  ///   are.
  func read(
    _ text: UnsafeBufferPointer<UInt8>, as column: ColumnSchema
  ) throws(Misfit) -> NestedValue {
    let shown = String(decoding: text.prefix(60), as: UTF8.self)
    guard let bytes = text.baseAddress, JSONCheck.firstError(bytes, count: text.count) == nil else {
      throw Misfit(path: "", problem: "is `\(shown)`, which is not \(Self.form(of: column))")
        .inside(column.name)
    }
    let scan = JSONScan(bytes: bytes, count: text.count)
    var range = scan.skipSpace(0)..<text.count
    while range.count > 1, JSONScan.isSpace(bytes[range.upperBound - 1]) { range.removeLast() }
    do throws(Misfit) { return try value(scan, range, of: column, depth: 0) } catch {
      throw error.inside(column.name)
    }
  }

  private static func form(of column: ColumnSchema) -> String {
    switch column.collection {
    case .none: "a JSON object"
    case .list, .set: "a JSON array"
    case .map: "a JSON object"
    }
  }
}

// Values.
extension NestedReader {
  private func value(
    _ scan: JSONScan, _ range: Range<Int>, of column: ColumnSchema, depth: Int
  ) throws(Misfit) -> NestedValue {
    guard depth <= NestedText.maxDepth else {
      throw Misfit(path: "", problem: "is nested too deeply")
    }
    switch column.collection {
    case .none:
      return try single(scan, range, of: column, isNullable: column.isNullable, depth: depth)
    case .list, .set:
      guard let elements = scan.elements(range) else {
        throw misfit(scan, range, Self.form(of: column))
      }
      var values: [NestedValue] = []
      values.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        do throws(Misfit) {
          values.append(
            try single(
              scan, element, of: column, isNullable: column.isOptional && !column.isLink,
              depth: depth))
        } catch { throw error.inside("[\(index)]") }
      }
      return .list(values)
    case .map:
      var entries: [(key: String, value: NestedValue)] = []
      var names: Set<String> = []
      for member in try members(scan, range, form: Self.form(of: column)) {
        let key = scan.unescaped(member.name)
        do throws(Misfit) {
          guard names.insert(key).inserted else { throw Misfit(path: "", problem: "is repeated") }
          entries.append(
            (
              key,
              try single(
                scan, member.value, of: column, isNullable: column.isOptional, depth: depth)
            ))
        } catch { throw error.inside(".\(key)") }
      }
      return .map(entries)
    }
  }

  private func single(
    _ scan: JSONScan, _ range: Range<Int>, of column: ColumnSchema, isNullable: Bool, depth: Int
  ) throws(Misfit) -> NestedValue {
    if scan.bytes[range.lowerBound] == UInt8(ascii: "n") {
      guard isNullable else { throw Misfit(path: "", problem: "is null, but needs a value") }
      return .value(.null)
    }
    switch column.type {
    case .embedded: return try object(scan, range, of: column, depth: depth + 1)
    case .link:
      guard let type = keyType(of: column), let key = scalar(scan, range, type: type) else {
        throw misfit(scan, range, "a valid key of the class \(column.target ?? "")")
      }
      return .link(key)
    case .point: return .value(try point(scan, range))
    default:
      guard let type = FieldType(column.type), let value = scalar(scan, range, type: type) else {
        throw misfit(scan, range, "a valid \(column.type)")
      }
      return .value(value)
    }
  }

  private func object(
    _ scan: JSONScan, _ range: Range<Int>, of column: ColumnSchema, depth: Int
  ) throws(Misfit) -> NestedValue {
    guard let target = target(of: column) else {
      throw Misfit(path: "", problem: "has no class")
    }
    var values: [(column: ColumnSchema, value: NestedValue)] = []
    var found: Set<Int> = []
    for member in try members(scan, range, form: "a JSON object") {
      let name = scan.unescaped(member.name)
      do throws(Misfit) {
        guard let own = target.column(named: name) else {
          throw Misfit(path: "", problem: "is not a property of the class \(target.name)")
        }
        guard found.insert(own.position).inserted else {
          throw Misfit(path: "", problem: "is repeated")
        }
        values.append((own, try value(scan, member.value, of: own, depth: depth)))
      } catch { throw error.inside(".\(name)") }
    }
    for own in target.properties
    where own.collection == .none && !own.isNullable && !found.contains(own.position) {
      throw Misfit(path: ".\(own.name)", problem: "is missing; every object must have a value")
    }
    return .object(values)
  }

  /// Returns the members of an object, whose names come without quotes.
  private func members(
    _ scan: JSONScan, _ range: Range<Int>, form: String
  ) throws(Misfit) -> [(name: Range<Int>, value: Range<Int>)] {
    guard scan.bytes[range.lowerBound] == UInt8(ascii: "{") else { throw misfit(scan, range, form) }
    var members: [(name: Range<Int>, value: Range<Int>)] = []
    scan.forEachMember(ofObjectAt: range.lowerBound) { name, value in
      if let value { members.append((name, value)) }
      return value != nil
    }
    return members
  }

  private func point(_ scan: JSONScan, _ range: Range<Int>) throws(Misfit) -> Value {
    var numbers: [String: Double] = [:]
    let members = try members(scan, range, form: "a JSON object with latitude and longitude")
    for member in members {
      let name = scan.unescaped(member.name)
      if case .double(let number)? = scalar(scan, member.value, type: .double) {
        numbers[name] = number
      }
    }
    let altitude = numbers["altitude"]
    guard let latitude = numbers["latitude"], let longitude = numbers["longitude"],
      abs(latitude) <= 90, abs(longitude) <= 180,
      members.count == (altitude == nil ? 2 : 3)
    else { throw misfit(scan, range, "a location with latitude and longitude in range") }
    return .point(
      Position(latitude: latitude, longitude: longitude, altitude: altitude ?? 0))
  }

  /// Returns the value of a number, a word or a string; nil if it is not of the type.
  private func scalar(_ scan: JSONScan, _ range: Range<Int>, type: FieldType) -> Value? {
    let start = scan.bytes + range.lowerBound
    switch start[0] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return nil
    case UInt8(ascii: "\""):
      let content = range.lowerBound + 1..<range.upperBound - 1
      switch type {
      case .text: return .string(scan.unescaped(content))
      case .date:
        return DateText.parse(start + 1, count: content.count, reading: reading).map(Value.date)
      default: return ParsedText.value(scan.unescaped(content), as: type)
      }
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      let isTrue = start[0] == UInt8(ascii: "t")
      return type == .bool ? .bool(isTrue) : type == .text ? .string("\(isTrue)") : nil
    default: return number(start, count: range.count, type: type)
    }
  }

  private func number(
    _ text: UnsafePointer<UInt8>, count: Int, type: FieldType
  ) -> Value? {
    switch type {
    case .int: return NumberSpelling.int(text, count: count).map(Value.int)
    case .double: return NumberSpelling.exactNumber(text, count: count).map(Value.double)
    case .float:
      let value = NumberSpelling.exactDouble(text, count: count).map(Float.init)
      return value.flatMap { $0.isFinite ? .float($0) : nil }
    case .text, .decimal:
      let text = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
      return type == .text ? .string(text) : ParsedText.value(text, as: type)
    default: return nil
    }
  }

  private func misfit(_ scan: JSONScan, _ range: Range<Int>, _ expected: String) -> Misfit {
    let shown = scan.text(range.lowerBound, end: min(range.upperBound, range.lowerBound + 60))
    return Misfit(path: "", problem: "is `\(shown)`, which is not \(expected)")
  }
}
