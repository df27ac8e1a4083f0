import CairnTestSupport
import CairnValues

@testable import CairnStorage

/// A class as plain values: the expected content of a store after any alterations and writes.
struct AlterationModel {
  struct Property: Equatable {
    var name: String
    var type: ValueType
    var isOptional: Bool
    var isIndexed: Bool
    var isPrimaryKey = false

    /// The value of a row that was never set.
    var blank: Value { isOptional ? .null : .defaultValue(of: type) }

    var column: ColumnSchema {
      ColumnSchema(
        id: 0, name: name, type: type, isOptional: isOptional, isIndexed: isIndexed,
        isPrimaryKey: isPrimaryKey, position: 0)
    }
  }

  var properties: [Property] = []
  /// Live rows by key, their values by name.
  var rows: [Int: [String: Value]] = [:]

  var draft: TableDraft { TableDraft(name: "Thing", columns: properties.map(\.column)) }

  static let types: [ValueType] = [
    .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128, .point,
  ]

  static func canBeIndexed(_ type: ValueType) -> Bool { type != .decimal128 && type != .point }

  /// The value that a property has after it became another one.
  static func converted(_ value: Value, _ old: Property, _ new: Property) -> Value {
    if old.type == new.type { return value == .null ? new.blank : value }
    return switch (value, new.type) {
    case (.float(let number), .double): .double(Double(number))
    case (.int(let number), .decimal128): .decimal(Decimal128(number))
    default: new.blank
    }
  }

  /// A random alteration of the class, with the rows converted.
  func altered(_ source: inout ValueSource, number: Int) -> AlterationModel {
    var next = self
    next.properties = properties.compactMap { property in
      var property = property
      switch source.int(0...9) {
      case 0: return nil
      case 1: property.isOptional.toggle()
      case 2, 3:
        property.type = Self.types[source.int(0...Self.types.count - 1)]
        if property.type == .float, source.chance(50) { property.type = .double }
      case 4: property.isIndexed.toggle()
      default: break
      }
      if !Self.canBeIndexed(property.type) { property.isIndexed = false }
      return property
    }
    for place in 0..<source.int(0...2) {
      let type = Self.types[source.int(0...Self.types.count - 1)]
      next.properties.append(
        Property(
          name: "p\(number)_\(place)", type: type, isOptional: source.chance(50),
          isIndexed: Self.canBeIndexed(type) && source.chance(40)))
    }
    if next.properties.isEmpty {
      next.properties = [
        Property(name: "p\(number)", type: .int, isOptional: false, isIndexed: true)
      ]
    }
    next.rows = rows.mapValues { values in next.row(from: values, self) }
    return next
  }

  private func row(from values: [String: Value], _ before: AlterationModel) -> [String: Value] {
    var row: [String: Value] = [:]
    for property in properties {
      guard let old = before.properties.first(where: { $0.name == property.name }),
        let value = values[property.name]
      else {
        row[property.name] = property.blank
        continue
      }
      row[property.name] = Self.converted(value, old, property)
    }
    return row
  }

  /// The same class with a property renamed.
  func renamed(_ place: Int, _ name: String) -> AlterationModel {
    var next = self
    let old = properties[place].name
    next.properties[place].name = name
    next.rows = rows.mapValues { values in
      var values = values
      values[name] = values.removeValue(forKey: old)
      return values
    }
    return next
  }
}
