import CairnQuery
import CairnValues

/// What Cairn knows of a class of projections: its projected properties, and what they show.
final class ProjectionLayout {
  struct Property {
    let name: String
    /// The columns that lead to what is shown, from the object.
    let path: [String]
    /// The same, on to what the elements of a collection show.
    let fullPath: [String]
    let offset: Int
    let wrapper: any ProjectedWrapper.Type

    /// Where the property stands in an instance.
    func pointer(in projection: AnyObject) -> UnsafeMutableRawPointer {
      Unmanaged.passUnretained(projection).toOpaque() + offset
    }
  }

  let properties: [Property]

  private init<Root>(_ type: Projection<Root>.Type) {
    let trail = KeyPathTracer.Trail()
    let recorder = KeyPathTracer.recorder(Root.self, trail)
    let prototype = type.init(projecting: recorder)
    properties = Field.fields(of: type).compactMap { field in
      guard let wrapper = field.type as? any ProjectedWrapper.Type, field.name.hasPrefix("_")
      else { return nil }
      trail.names = []
      let pointer = Unmanaged.passUnretained(prototype).toOpaque() + field.offset
      let value = wrapper.read(pointer, recorder)
      let path = trail.names
      let elementPath = (value as? any AnyProjectedCollection)?.elementPath ?? []
      return Property(
        name: String(field.name.dropFirst()), path: path, fullPath: path + elementPath,
        offset: field.offset, wrapper: wrapper)
    }
  }

  /// The columns that a property of the projection shows; nil when it has none of that name.
  func path(of name: String) -> [String]? {
    properties.first { $0.name == name }?.path
  }

  /// The layout of a class; worked out once.
  static func of<Root>(_ type: Projection<Root>.Type) -> ProjectionLayout {
    let id = ObjectIdentifier(type)
    if let known = cache.withLock({ $0[id] }) { return known }
    let layout = ProjectionLayout(type)
    return cache.withLock { known in
      if let earlier = known[id] { return earlier }
      known[id] = layout
      return layout
    }
  }

  /// The layout of the class of a projection.
  static func of(_ projection: any ProjectionObservable) -> ProjectionLayout? {
    (type(of: projection) as? any AnyProjection.Type)?.layout
  }

  private static let cache = Mutex<[ObjectIdentifier: ProjectionLayout]>([:])
}

/// What a layout asks of a `Projected`, whatever it shows; every pointer leads to one in an instance.
protocol ProjectedWrapper {
  /// Reads the value, also for the properties that this passes.
  static func read(_ pointer: UnsafeMutableRawPointer, _ object: ObjectBase) -> Any?
  /// A stored value as the property shows it: of an enumeration the case, of a type of one's own such a value.
  static func shown(_ stored: Any?) -> Any?
  /// The value as descriptions show it.
  static func text(_ pointer: UnsafeMutableRawPointer, _ object: ObjectBase) -> String
}

extension Projected: ProjectedWrapper {
  private static func value(
    _ pointer: UnsafeMutableRawPointer, _ object: ObjectBase
  ) -> Value? {
    guard let object = object as? Root else { return nil }
    return object[keyPath: pointer.assumingMemoryBound(to: Self.self).pointee.keyPath]
  }

  static func read(_ pointer: UnsafeMutableRawPointer, _ object: ObjectBase) -> Any? {
    value(pointer, object)
  }

  static func shown(_ stored: Any?) -> Any? {
    guard let stored, let type = Value.self as? any _DynamicValue.Type else { return stored }
    return Bridge.unwrapped(try? type._from(stored, ValueIntake())) ?? stored
  }

  static func text(_ pointer: UnsafeMutableRawPointer, _ object: ObjectBase) -> String {
    guard let shown = Bridge.unwrapped(value(pointer, object)) else { return "nil" }
    return "\(shown)"
  }
}

/// A class of projections, whatever it shows.
protocol AnyProjection {
  static var layout: ProjectionLayout { get }
}

extension Projection: AnyProjection {
  static var layout: ProjectionLayout { ProjectionLayout.of(self) }
}

extension Predicate {
  /// The condition as the class of the objects has it, where the elements are projections of them.
  func asked(of element: Any.Type) -> Predicate {
    guard let layout = (element as? any AnyProjection.Type)?.layout else { return self }
    return leading(layout.path)
  }
}

extension PropertyKeyPath {
  /// The way from the objects, where the elements are projections of them and it begins with a name of theirs.
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
