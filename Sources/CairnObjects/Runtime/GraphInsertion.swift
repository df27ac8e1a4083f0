/// The progress of adding an object and everything that it leads to.
///
/// Objects are added by recursion, each after those that it leads to, as long as the way to them is short.
/// Beyond that, a property is written once the outermost object is done, so that the stack holds a chain
/// of any length.
struct GraphInsertion {
  /// The number of objects that are being added, each because the one before leads to it.
  private(set) var depth = 0
  /// The properties to write to objects that were added without them.
  private var postponed: [PostponedProperty] = []

  /// The longest way that recursion follows. A level takes up to 2 kB of the stack, and threads other
  /// than the main one may have 512 kB.
  private static let maxDepth = 64

  /// Whether the properties of the next object have to wait.
  var isDeep: Bool { depth > Self.maxDepth }

  /// Begins to add an object.
  mutating func enter() { depth += 1 }

  /// Ends adding an object.
  mutating func leave() { depth -= 1 }

  mutating func postpone(_ property: PostponedProperty) { postponed.append(property) }

  /// Removes and returns a property that is to be written now; nil while objects are still being added,
  /// and when all is written.
  mutating func next() -> PostponedProperty? { depth == 1 ? postponed.popLast() : nil }
}

/// A property of an added object whose value leads to objects that are added later.
struct PostponedProperty {
  let insertion: Insertion
  let object: ObjectBase
  let row: Row
  let property: DeferredProperty

  func write() { insertion.write(property, of: object, at: row) }
}
