/// Turns one property of an instance into one that is read from the store: writes bits that were made before.
struct StateStamp {
  private let offset: Int
  private let size: Int
  private let column: Int
  private let shape: PropertyShape
  private let wrapper: any PersistedWrapper.Type
  private let keepsIdentity: Bool
  /// The bits as the initialiser of the class leaves them; the prototype keeps alive what they lead to.
  private let initial: UnsafeMutableRawPointer
  private let managed: UnsafeMutableRawPointer

  /// Kept for good, with the layout that it is made for.
  init(_ property: PropertyLayout, _ column: Int, _ prototype: ObjectBase) {
    offset = property.offset
    size = property.wrapper.stateSize
    self.column = column
    shape = property.shape
    wrapper = property.wrapper
    keepsIdentity = property.wrapper.keepsIdentity
    initial = property.pointer(in: prototype)
    managed = .allocate(byteCount: size, alignment: 16)
    managed.copyMemory(from: initial, byteCount: size)
    let scratch = type(of: prototype).init()
    wrapper.manage(property.pointer(in: scratch), of: scratch, column)
    managed.copyMemory(from: property.pointer(in: scratch), byteCount: size)
  }

  func free() { managed.deallocate() }

  /// Whether an instance holds a collection of its own for the property, which stays the same instance when it is added.
  @inline(__always)
  func holdsCollection(_ object: ObjectBase) -> Bool {
    guard shape.isCollection, keepsIdentity else { return false }
    let state = object.storage(at: offset).assumingMemoryBound(to: PersistedState<AnyObject?>.self)
    if case .value = state.pointee { return true }
    return false
  }

  /// Whether the property is the collection of that column.
  func isCollection(ofColumn other: Int) -> Bool { keepsIdentity && column == other }

  /// Makes the property that of the instance's row.
  @inline(__always)
  func apply(to object: ObjectBase) {
    let pointer = object.storage(at: offset)
    // What equals the prototype's bits leads to what that keeps alive: nothing is lost by not letting go of it.
    guard shape.isPlain || isInitial(pointer) else { return replace(pointer, object) }
    var place = 0
    while place &+ 8 <= size {
      pointer.storeBytes(
        of: managed.loadUnaligned(fromByteOffset: place, as: UInt64.self), toByteOffset: place,
        as: UInt64.self)
      place &+= 8
    }
    while place < size {
      pointer.storeBytes(
        of: managed.load(fromByteOffset: place, as: UInt8.self), toByteOffset: place, as: UInt8.self
      )
      place &+= 1
    }
    // The bits are those of another instance: `ManagedProperty` begins with whose it is.
    pointer.storeBytes(
      of: Unmanaged.passUnretained(object).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  @inline(__always)
  private func isInitial(_ pointer: UnsafeMutableRawPointer) -> Bool {
    var place = 0
    while place &+ 8 <= size {
      guard
        pointer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          == initial.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      else { return false }
      place &+= 8
    }
    while place < size {
      guard
        pointer.load(fromByteOffset: place, as: UInt8.self)
          == initial.load(fromByteOffset: place, as: UInt8.self)
      else { return false }
      place &+= 1
    }
    return true
  }

  @inline(never)
  private func replace(_ pointer: UnsafeMutableRawPointer, _ object: ObjectBase) {
    let property = ManagedProperty(object, column)
    switch shape {
    case .text:
      pointer.assumingMemoryBound(to: PersistedState<String>.self).pointee = .managed(property)
    case .object, .collection, .doubles:
      // An optional of one class lies in memory as one of any class.
      pointer.assumingMemoryBound(to: PersistedState<AnyObject?>.self).pointee = .managed(property)
    case .int, .double, .plain, .other: wrapper.manage(pointer, of: object, column)
    }
  }
}

extension PropertyShape {
  /// Whether the property may hold a collection.
  fileprivate var isCollection: Bool {
    switch self {
    case .collection, .doubles: true
    case .int, .double, .text, .object, .plain, .other: false
    }
  }

  /// Whether the bits may be written over whatever they are.
  fileprivate var isPlain: Bool {
    switch self {
    case .int, .double, .plain: true
    case .text, .doubles, .object, .collection, .other: false
    }
  }
}
