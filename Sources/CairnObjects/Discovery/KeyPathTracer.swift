import CairnValues

/// Finds which stored properties a key path reads, by letting it read from an object that takes notes.
///
/// One for each property of such an object; what it notes goes to the one list of the trace.
public final class KeyPathTracer {
  /// What a trace found.
  final class Trail {
    /// The properties in the order in which they were read.
    var names: [String] = []
    /// Whether properties give unlikely values, to tell them from what is worked out of them.
    let isProbing: Bool

    init(isProbing: Bool = false) {
      self.isProbing = isProbing
    }
  }

  let name: String
  let trail: Trail

  init(_ name: String, _ trail: Trail) {
    self.name = name
    self.trail = trail
  }

  /// Notes that the property was read.
  func pass() { trail.names.append(name) }

  /// Notes that the property was read; the object that it leads to takes notes too.
  func follow<T: ObjectBase>(_ type: T.Type) -> T {
    pass()
    return KeyPathTracer.recorder(type, trail)
  }

  /// An object whose properties take notes.
  static func recorder<T: ObjectBase>(_ type: T.Type, _ trail: Trail) -> T {
    let object = type.init()
    for property in ObjectLayout.of(type).properties {
      property.wrapper.trace(property.pointer(in: object), KeyPathTracer(property.name, trail))
    }
    return object
  }

  /// The stored properties that a key path reads, in order: `["favoriteToy", "name"]`.
  static func names<Root: ObjectBase>(in keyPath: PartialKeyPath<Root>) -> [String] {
    let trail = Trail()
    _ = recorder(Root.self, trail)[keyPath: keyPath]
    return trail.names
  }
}

extension _Scalar {
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.pass()
    return (tracer.trail.isProbing ? probe : nil) ?? _default()
  }

  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.pass()
    return tracer.trail.isProbing ? probe : nil
  }

  /// A value that nothing is likely to be; nil for enumerations, whose cases are all there is.
  private static var probe: Self? { Self(_stored: StoredValue(Value.probe(_kind.type))) }

  /// Whether the value is the one that probing properties give.
  var isProbe: Bool { _stored.value == Value.probe(Self._kind.type) }

  /// Whether properties of the type can be probed.
  static var hasProbe: Bool { probe != nil }
}

extension Value {
  fileprivate static func probe(_ type: ValueType) -> Value {
    switch type {
    case .bool: .bool(true)
    case .int: .int(93)
    case .float: .float(-1234.5625)
    case .double: .double(-1234.5625)
    case .string: .string("\u{2}cairn Probe\u{3}")
    case .data: .data([2, 99, 3])
    case .date: .date(-12345.5)
    case .objectId: .objectId(ObjectId())
    case .uuid: .uuid(UUIDBytes(high: 2, low: 3))
    case .decimal128: .decimal(Decimal128(-1234.5625))
    case .point: .point(Position(latitude: -12.5, longitude: 99.25, altitude: 3))
    case .link, .embedded, .mixed: .null
    }
  }
}
