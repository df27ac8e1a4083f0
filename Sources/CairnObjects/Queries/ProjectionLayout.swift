import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The projected properties of a projection class and their sources.
final class ProjectionLayout {
  struct Property {
    let name: String
    /// The columns on the path from the object to the projected value.
    let path: [String]
    /// The path extended to the projected value of a collection's elements.
    let fullPath: [String]
    let offset: Int
    let wrapper: any ProjectedWrapper.Type

    /// Returns the address of the property in an instance. Valid while the instance exists.
    func pointer(in projection: AnyObject) -> UnsafeMutableRawPointer {
      // An instance begins with its class and its reference counts.
      assert(offset >= 2 * MemoryLayout<Int>.size, "the offset is not one of a property")
      return Unmanaged.passUnretained(projection).toOpaque() + offset
    }
  }

  let properties: [Property]
  /// The name of the class of projections.
  private let className: String

  private init<Root>(_ type: Projection<Root>.Type) {
    let trace = KeyPathTracer.Trace()
    let recorder = KeyPathTracer.recorder(Root.self, trace: trace)
    let prototype = type.init(projecting: recorder)
    className = "\(type)"
    properties = Field.fields(of: type).compactMap { field in
      guard let wrapper = field.type as? any ProjectedWrapper.Type, field.name.hasPrefix("_")
      else { return nil }
      trace.names = []
      let pointer = Unmanaged.passUnretained(prototype).toOpaque() + field.offset
      let value = wrapper.read(pointer, object: recorder)
      let path = trace.names
      let elementPath = (value as? any AnyProjectedCollection)?.elementPath ?? []
      return Property(
        name: String(field.name.dropFirst()), path: path, fullPath: path + elementPath,
        offset: field.offset, wrapper: wrapper)
    }
  }

  /// Checks that each property shows something of the store; otherwise this is a programming error.
  func requireStored() {
    guard let property = properties.first(where: \.path.isEmpty) else { return }
    programmingError(
      "@Projected property '\(property.name)' of '\(className)' reads no persisted property; declare "
        + "it without @Projected, as a computed property over rootObject.")
  }

  /// Returns the columns that a property of the projection shows, or nil if it has no property of
  /// that name.
  func path(of name: String) -> [String]? {
    properties.first { $0.name == name }?.path
  }

  /// Returns the layout of a class, which is computed once.
  static func of<Root>(_ type: Projection<Root>.Type) -> ProjectionLayout {
    let id = ObjectIdentifier(type)
    if let cached = cache.withLock({ $0[id] }) { return cached }
    let layout = ProjectionLayout(type)
    return cache.withLock { cached in
      if let earlier = cached[id] { return earlier }
      cached[id] = layout
      return layout
    }
  }

  /// Returns the layout of a projection's class.
  static func of(_ projection: any ProjectionObservable) -> ProjectionLayout? {
    (type(of: projection) as? any AnyProjection.Type)?.layout
  }

  private static let cache = Mutex<[ObjectIdentifier: ProjectionLayout]>([:])
}

extension ClassHandle {
  /// Checks a class of projections once before it shows objects of this class.
  func check<Root>(_ type: Projection<Root>.Type) {
    // Any thread may read a frozen session, which therefore keeps no note.
    if session.isFrozen { return ProjectionLayout.of(type).requireStored() }
    guard checkedProjection != ObjectIdentifier(type) else { return }
    ProjectionLayout.of(type).requireStored()
    checkedProjection = ObjectIdentifier(type)
  }
}

/// The type-erased view of a `Projected` property. Every pointer refers to the property within an
/// instance.
protocol ProjectedWrapper {
  /// Reads the value. During a trace, the read records the properties along the key path.
  static func read(_ pointer: UnsafeMutableRawPointer, object: ObjectBase) -> Any?
  /// Returns the value as descriptions show it.
  static func text(_ pointer: UnsafeMutableRawPointer, object: ObjectBase) -> String
}

extension Projected: ProjectedWrapper {
  private static func value(
    _ pointer: UnsafeMutableRawPointer, object: ObjectBase
  ) -> Value? {
    guard let object = object as? Root else { return nil }
    return object[keyPath: pointer.assumingMemoryBound(to: Self.self).pointee.keyPath]
  }

  static func read(_ pointer: UnsafeMutableRawPointer, object: ObjectBase) -> Any? {
    value(pointer, object: object)
  }

  static func text(_ pointer: UnsafeMutableRawPointer, object: ObjectBase) -> String {
    guard let shown = Bridge.unwrapped(value(pointer, object: object)) else { return "nil" }
    return "\(shown)"
  }
}

/// A type-erased class of projections.
protocol AnyProjection {
  static var layout: ProjectionLayout { get }
}

extension Projection: AnyProjection {
  static var layout: ProjectionLayout { ProjectionLayout.of(self) }
}

extension Predicate {
  /// Returns the same condition in terms of the objects' properties, if the elements are
  /// projections.
  func resolved(for element: Any.Type) -> Predicate {
    guard let layout = (element as? any AnyProjection.Type)?.layout else { return self }
    return expandingProperties(layout.path)
  }
}

extension PropertyKeyPath {
  /// Creates the path from the objects. If the elements are projections, a leading property of the
  /// projection is replaced with its source.
  init(_ text: String, of element: Any.Type) {
    let name = String(text.prefix { $0 != "." && $0 != "[" })
    let layout = (element as? any AnyProjection.Type)?.layout
    guard let way = layout?.path(of: name) else {
      self.init(text)
      return
    }
    self.init(way.joined(separator: ".") + text.dropFirst(name.count))
  }
}

extension Results {
  /// Returns the objects that also match a condition, which uses the properties of the projection.
  public func `where`<Root: Object>(
    _ isIncluded: (Query<Element>) -> Query<Bool>
  ) -> Results where Element: Projection<Root> {
    meeting(isIncluded(Query(in: handle.session)).predicate)
  }
}

extension Query {
  /// The projected value of a property.
  public subscript<V: _Persistable>(
    dynamicMember member: KeyPath<T, V>
  ) -> Query<V> where T: ProjectionObservable {
    let names = KeyPathNames.stored(member, in: T.self) { trace in
      T(projecting: KeyPathTracer.recorder(T.Root.self, trace: trace))
    }
    return extending { $0.follow(names, from: ObjectLayout.of(T.Root.self)) }
  }
}

extension QueryPath {
  /// Extends the path along properties; the first property belongs to the class.
  mutating func follow(_ names: [String], from layout: ObjectLayout) {
    var layout: ObjectLayout? = layout
    for name in names {
      let property = layout?.property(named: name)
      append(.property(name), isToMany: property.map { $0.kind.isMany } ?? false)
      layout = property?.kind.target.map(ObjectLayout.of)
    }
  }
}

extension PropertyKind {
  /// Whether the property holds several values.
  var isMany: Bool { collection != .none || isInverse }
}

/// Sorting and uniquing of projections by their projected properties.
extension RealmCollection where Element: ProjectionObservable {
  /// Returns the projections sorted by the values of one of their properties. Equal elements keep
  /// their order.
  public func sorted<Value: _Persistable>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    sorted(byKeyPath: Element.orderPath(of: keyPath), ascending: ascending)
  }

  /// Returns the projections without those that equal an earlier one in all of these properties.
  public func distinct(by keyPaths: some Sequence<PartialKeyPath<Element>>) -> Results<Element> {
    distinct(by: keyPaths.map { Element.orderPath(of: $0) })
  }
}

extension ProjectionObservable {
  /// Returns the sort path for a key path of the projection: the projected property that shows
  /// exactly the value, or otherwise the stored properties that the key path reads. A key path that
  /// reads none is a programming error.
  static func orderPath(of keyPath: PartialKeyPath<Self>) -> String {
    let trace = KeyPathTracer.Trace()
    let projection = Self(projecting: KeyPathTracer.recorder(Root.self, trace: trace))
    trace.names = []
    _ = projection[keyPath: keyPath]
    let names = trace.names
    if names.isEmpty {
      programmingError("The key path of '\(Self.self)' reads no stored property.")
    }
    let layout = (self as? any AnyProjection.Type)?.layout
    return layout?.properties.first { $0.path == names }?.name ?? names.joined(separator: ".")
  }
}

/// A type-erased projected collection.
protocol AnyProjectedCollection {
  /// The columns on the path from an element to the projected value.
  var elementPath: [String] { get }
}
