import CairnTestSupport
import CairnValues

/// A model of a class as plain values: its contents after any files, or that one of them is
/// rejected.
struct WideningModel: Equatable {
  /// The kind of value in a field.
  enum Kind: CaseIterable, Hashable {
    case int
    /// An int that a double cannot hold exactly.
    case largeInt
    case double
    case bool
    case date
    case text
  }

  struct Field: Equatable {
    let kind: Kind
    let text: String
  }

  /// The content of a file: fields by column name, nil where there is no value.
  struct File {
    /// The columns of the file, including empty ones.
    var names: [String] = []
    var rows: [(id: Int64, fields: [String: Field])] = []
    /// The types that the options set.
    var types: [String: ValueType] = [:]

    func kinds(_ name: String) -> Set<Kind> { Set(rows.compactMap { $0.fields[name]?.kind }) }
  }

  enum Policy: CaseIterable {
    case error
    case replace
    case skip
  }

  var types: [String: ValueType] = [:]
  var rows: [Int64: [String: Value]] = [:]
  /// The changes to the properties of the class.
  var changes: Set<String> = []

  /// Returns the class with a file added, or nil when the file is rejected.
  func adding(_ file: File, _ policy: Policy) -> WideningModel? {
    var next = self
    next.changes = []
    for name in file.names {
      guard next.widen(name, file.kinds(name), file.types[name]) else { return nil }
    }
    for (id, fields) in file.rows {
      if next.rows[id] != nil {
        if policy == .error { return nil }
        if policy == .skip { continue }
      }
      var row: [String: Value] = [:]
      for (name, field) in fields { row[name] = Self.value(field, next.types[name] ?? .string) }
      next.rows[id] = row
    }
    return next
  }

  private mutating func widen(_ name: String, _ kinds: Set<Kind>, _ said: ValueType?) -> Bool {
    guard let old = types[name] else {
      types[name] = said ?? Self.type(of: kinds)
      if !rows.isEmpty { changes.insert("\(name): new, \(types[name] ?? .string)?") }
      return true
    }
    if said == .string || old == .string || kinds.isSubset(of: Self.fitting(old)) {
      if said == .string, old != .string { retype(name, old, .string) }
      return true
    }
    guard old == .int, kinds.isSubset(of: [.int, .double]),
      rows.values.allSatisfy({ Self.isExact($0[name] ?? .null) })
    else { return false }
    retype(name, .int, .double)
    return true
  }

  private mutating func retype(_ name: String, _ old: ValueType, _ new: ValueType) {
    types[name] = new
    changes.insert("\(name): \(old) -> \(new)")
    for (id, row) in rows {
      guard let value = row[name] else { continue }
      if new == .string {
        rows[id]?[name] = .string(Self.text(value))
      } else if case .int(let number) = value {
        rows[id]?[name] = .double(Double(number))
      }
    }
  }

  private static func fitting(_ type: ValueType) -> Set<Kind> {
    switch type {
    case .int: [.int, .largeInt]
    case .double: [.int, .double]
    case .bool: [.bool]
    case .date: [.date]
    default: Set(Kind.allCases)
    }
  }

  private static func type(of kinds: Set<Kind>) -> ValueType {
    for type in [ValueType.int, .double, .bool, .date]
    where !kinds.isEmpty && kinds.isSubset(of: fitting(type)) { return type }
    return .string
  }

  private static func isExact(_ value: Value) -> Bool {
    guard case .int(let number) = value else { return true }
    return number.magnitude <= 1 << 53
  }

  private static func value(_ field: Field, _ type: ValueType) -> Value {
    switch type {
    case .int: Int64(field.text).map(Value.int) ?? .null
    case .double: Double(field.text).map(Value.double) ?? .null
    case .bool: .bool(field.text == "true")
    case .date: .date(Double((Int(field.text.suffix(2)) ?? 0) - 1) * 86_400)
    default: .string(field.text)
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .date(let seconds):
      "2001-01-\(seconds < 9 * 86_400 ? "0" : "")\(Int(seconds / 86_400) + 1)"
    default: "?"
    }
  }
}

extension WideningModel.Field {
  /// Creates a random field of a kind; dates are days of January 2001.
  init(_ kind: WideningModel.Kind, _ random: inout SplitMix64) {
    self.kind = kind
    let number = Int.random(in: 1...20, using: &random)
    text =
      switch kind {
      case .int: "\(number - 10)"
      case .largeInt: "\((1 << 53) + 2 * number + 1)"
      case .double: "\(number).\(number % 4 * 25 + 5)"
      case .bool: number < 10 ? "true" : "false"
      case .date: "2001-01-\(number < 10 ? "0" : "")\(number)"
      case .text: number < 4 ? "00\(number)" : "w\(number)"
      }
  }
}

extension WideningModel.File {
  /// The file as CSV.
  var csv: String {
    let header = ["id"] + names + ["lat", "lon"]
    let lines = rows.map { row in
      (["\(row.id)"] + names.map { row.fields[$0]?.text ?? "" } + ["\(row.id % 80)", "5"])
        .joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
  }

  /// The file as Features, one on each line. A member without a value is left out of every other
  /// row.
  var features: String {
    rows.map { row in
      let members = names.compactMap { name -> String? in
        guard let field = row.fields[name] else {
          return row.id % 2 == 0 ? nil : "\"\(name)\":null"
        }
        let isQuoted = field.kind == .text || field.kind == .date
        return "\"\(name)\":" + (isQuoted ? "\"\(field.text)\"" : field.text)
      }
      return
        #"{"type":"Feature","id":\#(row.id),"properties":{\#(members.joined(separator: ","))},"#
        + #""geometry":{"type":"Point","coordinates":[5,\#(row.id % 80)]}}"# + "\n"
    }.joined()
  }

  /// The file without the columns that no Feature has.
  var spokenOf: Self {
    var file = self
    file.names = names.filter { name in
      rows.contains { $0.fields[name] != nil || $0.id % 2 != 0 }
    }
    return file
  }
}
