internal import CSimdJSON
internal import CairnStorage

/// Reads the sections of GeoJSON files into columns. Used by one thread.
final class FeatureSectionParser {
  private let plan: ImportPlan
  private let reader: FeatureReader
  private var names = NameTable()
  private var staged: [StagedValue]
  /// Properties of the Feature at hand that the plan does not know.
  private var unknown: Set<String> = []
  private let location: Int
  private let altitude: Int?
  private let id: Int?
  private let required: [Int]

  init(plan: ImportPlan) throws(ImportError) {
    self.plan = plan
    reader = try FeatureReader(policy: plan.onError)
    for column in plan.columns { names.add(column.name) }
    staged = Array(repeating: StagedValue(), count: plan.columns.count)
    location = plan.location ?? 0
    altitude = plan.columns.firstIndex { $0.content == .altitude }
    id = plan.index(of: "id")
    required = plan.columns.indices.filter { plan.columns[$0].isRequired && $0 != plan.location }
  }

  /// Appends the Features of a section; returns those that were left out.
  func parse(_ input: InputSection, into output: Section) throws(ParseStop) -> RefusalLog {
    try reader.read(input) { () throws(ParseStop) in
      if try stage() { append(to: output) }
    }
    return reader.refusals
  }

  /// Sets the values of a Feature ready; false when it was refused.
  private func stage() throws(ParseStop) -> Bool {
    for column in staged.indices { staged[column].state = .absent }
    if !unknown.isEmpty { unknown = [] }
    var contradiction = try stageAltitude()
    if reader.feature.id.kind > CSIMDJSON_NULL.rawValue {
      guard try reader.checkJSON(reader.feature.id) else { return false }
      contradiction = stage(reader.feature.id, id, "id") ?? contradiction
    }
    for (place, member) in reader.members.enumerated() where member.is_foreign == 0 {
      guard try reader.checkJSON(member.value) else { return false }
      let (name, count) = Self.name(member)
      let column = names.find(name, count, at: place)
      if let column, case .absent = staged[column].state {
        contradiction = stage(member.value, column, plan.columns[column].name) ?? contradiction
      } else if let column {
        guard try reader.checkRepeated(member, isId: column == id) else { return false }
      } else if unknown.insert(NameTable.text(name, count)).inserted {
        contradiction = NameTable.text(name, count)
      } else {
        guard try reader.checkRepeated(member, isId: false) else { return false }
      }
    }
    guard try checkRequired() else { return false }
    if let contradiction { throw .contradiction(column: contradiction) }
    return true
  }

  /// Returns the column's name when the value does not fit it.
  @inline(__always)
  private func stage(_ value: csimdjson_value, _ column: Int?, _ name: String) -> String? {
    guard let column, case .field(let type) = plan.columns[column].content else { return name }
    return staged[column].take(value, as: type) ? nil : name
  }

  private func stageAltitude() throws(ParseStop) -> String? {
    guard let value = reader.location.altitude else { return nil }
    guard let altitude else { return "altitude" }
    staged[altitude].state = .bits(value.bitPattern)
    return nil
  }

  private func checkRequired() throws(ParseStop) -> Bool {
    for column in required {
      switch staged[column].state {
      case .bits, .text: continue
      case .absent, .null:
        let name = plan.columns[column].name
        try reader.refuse("`\(name)` is missing", "`\(name)` is missing: every row needs one")
        return false
      }
    }
    return true
  }

  private func append(to output: Section) {
    for column in staged.indices {
      let builder = output.columns[column]
      if column == location {
        builder.append(longitude: reader.location.longitude, latitude: reader.location.latitude)
        continue
      }
      switch staged[column].state {
      case .absent, .null: builder.appendNull()
      case .text(let text, let count):
        builder.append(bytes: UnsafeRawBufferPointer(start: text, count: count))
      case .bits(let bits):
        switch plan.columns[column].content {
        case .field(.int), .field(.bool): builder.append(int: Int64(bitPattern: bits))
        default: builder.append(double: Double(bitPattern: bits))
        }
      }
    }
  }

  static func name(_ member: csimdjson_member) -> (UnsafePointer<UInt8>, Int) {
    FeatureReader.bytes(
      csimdjson_value(text: member.name, length: member.name_length, kind: 0))
  }
}
