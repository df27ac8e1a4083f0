import CairnGeometry
import CairnSystem
import CairnValues

/// Finds the stored properties that a key path reads, by applying it to an object that records each
/// read.
///
/// Each property of such an object has one tracer; all tracers write to the trail of the trace.
public final class KeyPathTracer {
  /// The result of a trace.
  final class Trace {
    /// The properties in the order in which they were read.
    var names: [String] = []
    /// Whether properties return improbable values, which tell them from values that are computed
    /// from them.
    let isProbing: Bool

    /// The recording objects of this trail. Keeping them alive keeps their identifiers unique while
    /// they can be looked up.
    private var recorders: [ObjectBase] = []

    init(isProbing: Bool = false) {
      self.isProbing = isProbing
    }

    deinit {
      KeyPathTracer.traces.withLock { traces in
        for recorder in recorders { traces[ObjectIdentifier(recorder)] = nil }
      }
    }

    fileprivate func keep(_ recorder: ObjectBase) {
      recorders.append(recorder)
      KeyPathTracer.traces.withLock { $0[ObjectIdentifier(recorder)] = Weak(trace: self) }
    }

    fileprivate struct Weak {
      weak var trace: Trace?
    }
  }

  let name: String
  let trace: Trace

  /// The trail of each recording object.
  private static let traces = Mutex<[ObjectIdentifier: Trace.Weak]>([:])

  init(_ name: String, trace: Trace) {
    self.name = name
    self.trace = trace
  }

  /// Records that the property was read.
  func record() { trace.names.append(name) }

  /// Records that the property was read, and returns a recording object for its target.
  func recordLink<T: ObjectBase>(_ type: T.Type) -> T {
    record()
    return KeyPathTracer.recorder(type, trace: trace)
  }

  /// Records that the property was read, and returns a recording object for the elements of its
  /// collection; nil if they are not objects.
  func recordElement<Element: RealmCollectionValue>(_ type: Element.Type) -> Element? {
    record()
    guard let target = Element._kind.target else { return nil }
    return KeyPathTracer.recorder(target, trace: trace) as? Element
  }

  /// Returns an object whose properties record that they are read.
  static func recorder<T: ObjectBase>(_ type: T.Type, trace: Trace) -> T {
    let object = type.init()
    for (number, property) in ObjectLayout.of(type).properties.enumerated() {
      property.wrapper.trace(property.pointer(in: object), number: number)
    }
    trace.keep(object)
    return object
  }

  /// Returns the tracer of a property of a recording object. After the end of the trace its records
  /// are not read.
  fileprivate static func tracer(of object: ObjectBase, _ number: Int) -> KeyPathTracer {
    let trace = traces.withLock { $0[ObjectIdentifier(object)]?.trace } ?? Trace()
    return KeyPathTracer(ObjectLayout.of(type(of: object)).properties[number].name, trace: trace)
  }

  /// Returns the stored properties that a key path reads, in order: `["favoriteToy", "name"]`.
  static func names<Root: ObjectBase>(in keyPath: PartialKeyPath<Root>) -> [String] {
    let trace = Trace()
    _ = recorder(Root.self, trace: trace)[keyPath: keyPath]
    return trace.names
  }
}

extension ObjectBase {
  /// Returns the tracer of the property with that index.
  @usableFromInline
  final func tracer(_ number: Int) -> KeyPathTracer { KeyPathTracer.tracer(of: self, number) }
}

extension _Scalar {
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.record()
    return (tracer.trace.isProbing || !_hasDefault ? probe : nil) ?? _default()
  }

  public static func _traceValue(_ tracer: KeyPathTracer) -> Self? { probe }

  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.record()
    return tracer.trace.isProbing ? probe : nil
  }

  /// An improbable value; nil for enumerations, whose cases are the only values.
  private static var probe: Self? { Self(_stored: StoredValue(Value.probe(_kind.type))) }

  /// Whether the value is the one that probing properties return.
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
    case .geometry, .lineString: .geometry(Probe.line.bytes)
    case .polygon: .geometry(Probe.polygon.bytes)
    case .link, .embedded, .mixed, .box: .null
    }
  }
}

/// The geometries that probing properties return.
private enum Probe {
  static let line = geometry(.lineString)
  static let polygon = geometry(.polygon)

  private static func geometry(_ kind: Geometry.Kind) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(kind)
    if kind == .polygon { builder.beginRing() }
    for (x, y) in [(99.25, -12.5), (99.5, -12.5), (99.5, -12.25), (99.25, -12.5)] {
      builder.add(longitude: x, latitude: y)
    }
    builder.end()
    return builder.geometry()
  }
}

/// The names of the properties that key paths lead to, determined once for each key path.
package enum KeyPathNames {
  /// Returns the stored property that a key path of one step names, or nil if it names none.
  package static func name<Root: ObjectBase>(
    ofAny keyPath: PartialKeyPath<Root>, in root: Root.Type
  ) -> String? {
    let names = traced(keyPath, in: root) { KeyPathTracer.recorder(root, trace: $0) }
    return names.isStored && names.read.count == 1 ? names.read[0] : nil
  }

  /// Returns the stored property that a key path of one step names. A computed property is a
  /// programming error.
  static func name<Root: ObjectBase, Value>(of keyPath: KeyPath<Root, Value>) -> String {
    // A type that is not an object class has no recorder, whatever the compiler accepted.
    checkObjects(Root.self)
    let names = stored(keyPath, in: Root.self) { KeyPathTracer.recorder(Root.self, trace: $0) }
    guard names.count == 1 else { reject(Root.self, names: names) }
    return names[0]
  }

  /// Ends the program if a type is not an object class. Never inlined, because the compiler would
  /// take the constraints of the callers as the answer.
  @inline(never)
  static func checkObjects(_ type: Any.Type) {
    if type is ObjectBase.Type { return }
    programmingError(
      "A query can only use stored properties of objects, and '\(type)' is not an object class.")
  }

  /// Returns the stored properties along a key path, up to the last one. A computed property is a
  /// programming error.
  ///
  /// - Parameter recorder: Creates an object that records the properties that are read.
  static func stored<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, in root: Root.Type,
    recorder: (KeyPathTracer.Trace) -> Root
  ) -> [String] {
    let names = traced(keyPath, in: root, recorder: recorder)
    guard names.isStored else { reject(root, names: names.read) }
    return names.read
  }

  /// Returns the properties that a key path reads, and whether the last one is its value.
  private static func traced<Root>(
    _ keyPath: PartialKeyPath<Root>, in root: Root.Type, recorder: (KeyPathTracer.Trace) -> Root
  ) -> (read: [String], isStored: Bool) {
    if let cached = cache.withLock({ $0[keyPath] }) { return (cached, true) }
    let trace = KeyPathTracer.Trace(isProbing: true)
    let value = recorder(trace)[keyPath: keyPath]
    guard !trace.names.isEmpty, isStored(value) else { return (trace.names, false) }
    cache.withLock { $0[keyPath] = trace.names }
    return (trace.names, true)
  }

  /// Returns whether a value that a probing property returned is a probe value.
  private static func isStored(_ value: Any) -> Bool {
    guard let scalar = Bridge.unwrapped(value) as? any _Scalar else { return true }
    return !type(of: scalar).hasProbe || scalar.isProbe
  }

  private static func reject<Root>(_ root: Root.Type, names: [String]) -> Never {
    let read = names.isEmpty ? "." : "; it reads '\(names.joined(separator: "', '"))'."
    programmingError(
      "A query can only use stored properties; this key path of '\(root)' does not lead to one"
        + read)
  }

  /// The key paths that were traced before. Key paths are not `Sendable` in general, because they
  /// may hold the arguments of a subscript; those of properties hold none.
  private static let cache = Mutex<[AnyKeyPath: [String]]>([:])
}
