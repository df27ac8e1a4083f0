/// A vector tile, decoded by the words of the specification. It shares nothing with the encoder.
struct VectorTile {
  enum Value: Hashable {
    case text(String)
    case float(Float)
    case double(Double)
    case int(Int64)
    case flag(Bool)
  }

  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  struct Feature {
    var id: UInt64?
    var type = 0
    var tags: [String: Value] = [:]
    /// Points, lines, or rings whose first vertex is not repeated.
    var parts: [[Point]] = []

    /// The polygons: each outer ring with the holes after it.
    var polygons: [[[Point]]] {
      parts.reduce(into: []) { polygons, ring in
        VectorTile.doubleArea(ring) > 0
          ? polygons.append([ring]) : polygons[polygons.count - 1].append(ring)
      }
    }

    /// The area of the polygons in square units.
    var area: Double {
      parts.reduce(0) { $0 + Double(VectorTile.doubleArea($1)) / 2 }
    }
  }

  struct Layer {
    var name = ""
    var version = 0
    var extent = 0
    var keys: [String] = []
    var values: [Value] = []
    var features: [Feature] = []
  }

  struct Malformed: Error {
    let reason: String
  }

  var layers: [Layer] = []

  /// Twice the area by the surveyor's formula, in coordinates whose y axis points down.
  static func doubleArea(_ ring: [Point]) -> Int {
    zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
    }
  }

  init(_ bytes: some Collection<UInt8>) throws {
    for (field, value) in try Message(Array(bytes)).fields {
      guard field == 3, case .bytes(let bytes) = value else { throw Malformed(reason: "no layer") }
      layers.append(try Self.layer(bytes))
    }
  }

  private static func layer(_ bytes: [UInt8]) throws -> Layer {
    var layer = Layer()
    var features: [[UInt8]] = []
    for (field, value) in try Message(bytes).fields {
      switch (field, value) {
      case (15, .varint(let version)): layer.version = Int(version)
      case (1, .bytes(let name)): layer.name = String(decoding: name, as: UTF8.self)
      case (2, .bytes(let feature)): features.append(feature)
      case (3, .bytes(let key)): layer.keys.append(String(decoding: key, as: UTF8.self))
      case (4, .bytes(let value)): layer.values.append(try Self.value(value))
      case (5, .varint(let extent)): layer.extent = Int(extent)
      default: throw Malformed(reason: "field \(field) of a layer")
      }
    }
    guard layer.version == 2, !layer.name.isEmpty else { throw Malformed(reason: "the layer") }
    guard Set(layer.keys).count == layer.keys.count, Set(layer.values).count == layer.values.count
    else { throw Malformed(reason: "repeated keys or values") }
    layer.features = try features.map { try feature($0, of: layer) }
    return layer
  }

  private static func value(_ bytes: [UInt8]) throws -> Value {
    let fields = try Message(bytes).fields
    guard fields.count == 1, let (field, value) = fields.first else {
      throw Malformed(reason: "a value")
    }
    switch (field, value) {
    case (1, .bytes(let text)):
      guard let text = String(validating: text, as: UTF8.self) else {
        throw Malformed(reason: "text")
      }
      return .text(text)
    case (2, .fixed32(let bits)): return .float(Float(bitPattern: bits))
    case (3, .fixed64(let bits)): return .double(Double(bitPattern: bits))
    case (5, .varint(let number)): return .int(Int64(number))
    case (6, .varint(let number)): return .int(zigZag(number))
    case (7, .varint(let number)): return .flag(number == 1)
    default: throw Malformed(reason: "field \(field) of a value")
    }
  }

  private static func zigZag(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  private static func feature(_ bytes: [UInt8], of layer: Layer) throws -> Feature {
    var feature = Feature()
    for (field, value) in try Message(bytes).fields {
      switch (field, value) {
      case (1, .varint(let id)): feature.id = id
      case (2, .bytes(let packed)):
        let numbers = try Message.varints(packed).map { Int($0) }
        guard numbers.count % 2 == 0 else { throw Malformed(reason: "an odd tag") }
        for index in stride(from: 0, to: numbers.count, by: 2) {
          feature.tags[layer.keys[numbers[index]]] = layer.values[numbers[index + 1]]
        }
      case (3, .varint(let type)): feature.type = Int(type)
      case (4, .bytes(let packed)):
        feature.parts = try parts(try Message.varints(packed), type: feature.type)
      default: throw Malformed(reason: "field \(field) of a feature")
      }
    }
    return feature
  }

  private static func parts(_ commands: [UInt64], type: Int) throws -> [[Point]] {
    var (parts, part, cursor): ([[Point]], [Point], Point) = ([], [], Point(x: 0, y: 0))
    var index = 0
    func step() -> Point {
      defer { index += 2 }
      let (x, y) = (zigZag(commands[index]), zigZag(commands[index + 1]))
      return Point(x: cursor.x + Int(x), y: cursor.y + Int(y))
    }
    while index < commands.count {
      let (command, count) = (commands[index] & 7, Int(commands[index] >> 3))
      index += 1
      switch command {
      case 1:
        guard type == 1 || count == 1, count > 0 else { throw Malformed(reason: "MoveTo") }
        if type == 2, !part.isEmpty { parts.append(part) }
        part = []
        for _ in 0..<count {
          cursor = step()
          type == 1 ? parts.append([cursor]) : part.append(cursor)
        }
      case 2:
        guard count > 0 else { throw Malformed(reason: "LineTo") }
        for _ in 0..<count {
          let next = step()
          guard next != cursor else { throw Malformed(reason: "a repeated point") }
          cursor = next
          part.append(cursor)
        }
      case 7:
        guard type == 3, count == 1, part.count > 2, part.first != part.last,
          doubleArea(part) != 0
        else { throw Malformed(reason: "a ring") }
        parts.append(part)
        part = []
      default: throw Malformed(reason: "command \(command)")
      }
    }
    if type == 2, !part.isEmpty { parts.append(part) }
    guard !parts.isEmpty, type != 2 || parts.allSatisfy({ $0.count > 1 }) else {
      throw Malformed(reason: "an empty geometry")
    }
    guard type != 3 || doubleArea(parts[0]) > 0 else { throw Malformed(reason: "a hole first") }
    return parts
  }
}

/// The fields of a message of protocol buffers.
private struct Message {
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes([UInt8])
    case fixed32(UInt32)
  }

  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var fields: [(Int, Value)] {
    get throws {
      var message = self
      var fields: [(Int, Value)] = []
      while message.index < bytes.count {
        let key = try message.varint()
        let value: Value
        switch key & 7 {
        case 0: value = .varint(try message.varint())
        case 1: value = .fixed64(try message.fixed(8))
        case 2: value = .bytes(try message.take(Int(try message.varint())))
        case 5: value = .fixed32(UInt32(try message.fixed(4)))
        default: throw VectorTile.Malformed(reason: "a wire type")
        }
        fields.append((Int(key >> 3), value))
      }
      return fields
    }
  }

  static func varints(_ bytes: [UInt8]) throws -> [UInt64] {
    var message = Message(bytes)
    var numbers: [UInt64] = []
    while message.index < bytes.count { numbers.append(try message.varint()) }
    return numbers
  }

  private mutating func varint() throws -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while index < bytes.count, shift < 70 {
      let byte = bytes[index]
      index += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    throw VectorTile.Malformed(reason: "a varint")
  }

  private mutating func fixed(_ size: Int) throws -> UInt64 {
    try take(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ size: Int) throws -> [UInt8] {
    guard index + size <= bytes.count else { throw VectorTile.Malformed(reason: "the length") }
    defer { index += size }
    return Array(bytes[index..<index + size])
  }
}
