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

    /// The objects that take notes here; they stay themselves as long as somebody looks them up.
    private var recorders: [ObjectBase] = []

    init(isProbing: Bool = false) {
      self.isProbing = isProbing
    }

    deinit {
      KeyPathTracer.trails.withLock { trails in
        for recorder in recorders { trails[ObjectIdentifier(recorder)] = nil }
      }
    }

    fileprivate func keep(_ recorder: ObjectBase) {
      recorders.append(recorder)
      KeyPathTracer.trails.withLock { $0[ObjectIdentifier(recorder)] = Weak(trail: self) }
    }

    fileprivate struct Weak {
      weak var trail: Trail?
    }
  }

  let name: String
  let trail: Trail

  /// Where objects that take notes write them.
  private static let trails = Mutex<[ObjectIdentifier: Trail.Weak]>([:])

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
    for (number, property) in ObjectLayout.of(type).properties.enumerated() {
      property.wrapper.trace(property.pointer(in: object), number)
    }
    trail.keep(object)
    return object
  }

  /// What notes that a property of such an object was read. After the end of the trace nobody reads the notes.
  fileprivate static func tracer(of object: ObjectBase, _ number: Int) -> KeyPathTracer {
    let trail = trails.withLock { $0[ObjectIdentifier(object)]?.trail } ?? Trail()
    return KeyPathTracer(ObjectLayout.of(type(of: object)).properties[number].name, trail)
  }

  /// The stored properties that a key path reads, in order: `["favoriteToy", "name"]`.
  static func names<Root: ObjectBase>(in keyPath: PartialKeyPath<Root>) -> [String] {
    let trail = Trail()
    _ = recorder(Root.self, trail)[keyPath: keyPath]
    return trail.names
  }
}

extension ObjectBase {
  /// What notes that the property of that number was read.
  @usableFromInline
  final func tracer(_ number: Int) -> KeyPathTracer { KeyPathTracer.tracer(of: self, number) }
}

extension _Scalar {
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.pass()
    return (tracer.trail.isProbing || !_hasDefault ? probe : nil) ?? _default()
  }

  public static func _traceValue(_ tracer: KeyPathTracer) -> Self? { probe }

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
