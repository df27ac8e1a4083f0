import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues

/// A random path through `LinkedStore`, and the property at its end.
struct RandomPath {
  var components: [PropertyPath.Component] = []
  var type = ValueType.link
  /// The class at the end of the path, or nil for a value.
  var table: String?
  /// The number of collections on the path.
  var many = 0
  /// Whether the last step is a collection.
  var endsAtCollection = false

  init() {}

  /// Creates a path from a class over at most `depth` links.
  init(from name: String, _ world: NaiveWorld, depth: Int, _ random: inout SplitMix64) {
    walk(name, world, depth, &random)
  }

  private mutating func walk(
    _ name: String, _ world: NaiveWorld, _ depth: Int, _ random: inout SplitMix64
  ) {
    guard let schema = world.schema(name) else { return }
    if !schema.inverses.isEmpty, random.chance(0.12) {
      let inverse = random.pick(schema.inverses)
      components.append(.property(inverse.name))
      many += 1
      return follow(inverse.origin, .link, true, world, depth, &random)
    }
    // Prefer links, which these tests are about.
    let links = schema.properties.filter(\.isLink)
    let column =
      depth > 0 && !links.isEmpty && random.chance(0.5)
      ? random.pick(links) : random.pick(schema.properties)
    components.append(.property(column.name))
    let isCollection = addSubscript(of: column, &random)
    if isCollection { many += 1 }
    if column.isLink, components.last != .allKeys {
      return follow(column.target ?? "", column.type, isCollection, world, depth, &random)
    }
    type = components.last == .allKeys ? .string : column.type
    endsAtCollection = isCollection
    if type == .mixed { addSteps(isCollection, &random) }
  }

  /// Appends keys, values or one key of a map, and returns whether the path has several values
  /// there.
  private mutating func addSubscript(
    of column: ColumnSchema, _ random: inout SplitMix64
  ) -> Bool {
    guard column.collection == .map else { return column.collection != .none }
    switch random.below(4) {
    case 0: components.append(.allKeys)
    case 1: components.append(.allValues)
    case 2: break
    default:
      components.append(.key(random.pick(["a", "b", "é", "k"])))
      return false
    }
    return true
  }

  private mutating func addSteps(_ isCollection: Bool, _ random: inout SplitMix64) {
    let steps: [PropertyPath.Component] = (0..<random.below(3)).map { _ in
      random.pick([.key("a"), .key("k"), .index(0), .index(1), .anyElement])
    }
    guard !steps.isEmpty else { return }
    // After a collection, `[*]` means its elements.
    if isCollection {
      if components.last == .allValues { components.removeLast() }
      components.append(.anyElement)
    }
    components += steps
    many += steps.filter { $0 == .anyElement }.count
    endsAtCollection = steps.last == .anyElement
  }

  private mutating func follow(
    _ name: String, _ type: ValueType, _ isCollection: Bool, _ world: NaiveWorld, _ depth: Int,
    _ random: inout SplitMix64
  ) {
    self.type = type
    table = name
    endsAtCollection = isCollection
    guard depth > 0, random.chance(0.75) else { return }
    table = nil
    walk(name, world, depth - 1, &random)
  }

  /// Whether `@count` may follow. Another test covers what counts as a collection after a repeated
  /// `[*]`.
  var canBeCounted: Bool {
    endsAtCollection && components.last != .allKeys
      && (many < 2 || !components.contains(.anyElement))
  }

  /// The path with a suitable quantifier.
  func path(_ random: inout SplitMix64) -> PropertyPath {
    PropertyPath(many == 0 ? .one : random.pick([.any, .all]), components: components)
  }
}
