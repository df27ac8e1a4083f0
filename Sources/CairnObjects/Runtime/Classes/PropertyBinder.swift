import CairnStorage
import CairnSystem

/// Turns a property of an instance into one that reads from the store, by copying bits that were
/// prepared in advance. See `docs/toolchain.md`.
struct PropertyBinder {
  private let offset: Int
  private let size: Int
  private let column: Int
  private let representation: PropertyRepresentation
  private let wrapper: any PersistedWrapper.Type
  private let keepsIdentity: Bool
  /// The bits as the initializer of the class leaves them. The prototype keeps the objects that
  /// they refer to alive.
  private let initial: UnsafeMutableRawPointer
  private let managed: UnsafeMutableRawPointer

  /// Prepares the bits. They are kept until the binding is released.
  init(_ property: PropertyLayout, column: Int, prototype: ObjectBase) {
    offset = property.offset
    size = property.wrapper.stateSize
    // `apply` writes the owner over the first bytes.
    assert(
      size >= MemoryLayout<UnsafeMutableRawPointer>.size, "the state is smaller than its owner")
    self.column = column
    representation = property.representation
    wrapper = property.wrapper
    keepsIdentity = property.wrapper.keepsIdentity
    initial = property.pointer(in: prototype)
    managed = .allocate(byteCount: size, alignment: 16)
    managed.copyMemory(from: initial, byteCount: size)
    let scratch = type(of: prototype).init()
    wrapper.manage(property.pointer(in: scratch), of: scratch, column: column)
    managed.copyMemory(from: property.pointer(in: scratch), byteCount: size)
  }

  func free() { managed.deallocate() }

  /// Whether the property's type takes both the prepared bits and a replaced state for a property of
  /// the instance's row.
  func isUnderstood(byInstancesLike prototype: ObjectBase) -> Bool {
    let object = type(of: prototype).init()
    let pointer = object.storage(at: offset)
    func isManaged() -> Bool { wrapper.isManaged(pointer, by: object, column: column) }
    apply(to: object)
    guard isManaged() else { return false }
    replace(pointer, object: object)
    return isManaged()
  }

  /// Returns whether an instance holds its own collection for the property. That collection remains
  /// the same instance when the object is added.
  @inline(__always)
  func holdsCollection(_ object: ObjectBase) -> Bool {
    guard keepsIdentity else { return false }
    if representation == .typed { return wrapper.hasValue(object.storage(at: offset)) }
    guard representation.isCollection else { return false }
    let state = object.storage(at: offset).assumingMemoryBound(to: PersistedState<AnyObject?>.self)
    if case .value = state.pointee { return true }
    return false
  }

  /// Returns whether the property is the collection in that column.
  func isCollection(ofColumn other: Int) -> Bool { keepsIdentity && column == other }

  /// Binds the property to the instance's row.
  @inline(__always)
  func apply(to object: ObjectBase) {
    let pointer = object.storage(at: offset)
    // Bits that equal the prototype's refer to objects that the prototype keeps alive, so
    // overwriting them without a release leaks nothing.
    guard representation.isPlain || (representation != .typed && isInitial(pointer)) else {
      return replace(pointer, object: object)
    }
    var position = 0
    while position &+ 8 <= size {
      pointer.storeBytes(
        of: managed.loadUnaligned(fromByteOffset: position, as: UInt64.self),
        toByteOffset: position,
        as: UInt64.self)
      position &+= 8
    }
    while position < size {
      pointer.storeBytes(
        of: managed.load(fromByteOffset: position, as: UInt8.self), toByteOffset: position,
        as: UInt8.self
      )
      position &+= 1
    }
    // The bits belong to another instance: `ManagedProperty` starts with the reference to its
    // owner.
    pointer.storeBytes(
      of: Unmanaged.passUnretained(object).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  @inline(__always)
  private func isInitial(_ pointer: UnsafeMutableRawPointer) -> Bool {
    var position = 0
    while position &+ 8 <= size {
      guard
        pointer.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          == initial.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      else { return false }
      position &+= 8
    }
    while position < size {
      guard
        pointer.load(fromByteOffset: position, as: UInt8.self)
          == initial.load(fromByteOffset: position, as: UInt8.self)
      else { return false }
      position &+= 1
    }
    return true
  }

  @inline(never)
  private func replace(_ pointer: UnsafeMutableRawPointer, object: ObjectBase) {
    let property = ManagedProperty(object, column: column)
    switch representation {
    case .text:
      pointer.assumingMemoryBound(to: PersistedState<String>.self).pointee = .managed(property)
    case .object, .collection, .doubles:
      // An optional of one class has the same memory representation as an optional of any class.
      pointer.assumingMemoryBound(to: PersistedState<AnyObject?>.self).pointee = .managed(property)
    case .int, .double, .plain, .other, .typed:
      wrapper.manage(pointer, of: object, column: column)
    }
  }
}

extension PropertyRepresentation {
  /// Whether the property may hold a collection.
  fileprivate var isCollection: Bool {
    switch self {
    case .collection, .doubles: true
    case .int, .double, .text, .object, .plain, .other, .typed: false
    }
  }

  /// Whether the bits may be overwritten whatever they contain.
  fileprivate var isPlain: Bool {
    switch self {
    case .int, .double, .plain: true
    case .text, .doubles, .object, .collection, .other, .typed: false
    }
  }
}

/// The memory representation of a property. The common representations are accessed directly; all
/// others go through their type, which the runtime has to look up on each access.
enum PropertyRepresentation {
  case int
  case double
  case text
  /// A list of doubles, as GeoJSON coordinates use it.
  case doubles
  /// An optional object.
  case object
  /// A collection, which is an instance of a class.
  case collection
  /// Plain bits, which may be overwritten.
  case plain
  case other
  /// Bits that the shortcuts do not understand, or that they may not use: every access goes through
  /// the type.
  case typed

  init(_ wrapper: any PersistedWrapper.Type, kind: PropertyKind) {
    if !Shortcuts.areAllowed {
      self = .typed
    } else if wrapper == Persisted<Int>.self {
      self = .int
    } else if wrapper == Persisted<Double>.self {
      self = .double
    } else if wrapper == Persisted<String>.self {
      self = .text
    } else if wrapper.holdsDoubles {
      self = .doubles
    } else if kind.target != nil, kind.collection == .none, wrapper.holdsReference {
      self = .object
    } else if kind.collection != .none, wrapper.holdsReference {
      self = .collection
    } else {
      self = wrapper.isPlain ? .plain : .other
    }
  }
}
