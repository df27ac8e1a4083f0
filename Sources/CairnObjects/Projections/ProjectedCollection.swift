/// What the elements of a collection show of themselves, read when it is asked for.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible {
  private let size: () -> Int
  private let element: (Int) -> Element
  /// The columns that lead from an element to what it shows.
  let elementPath: () -> [String]

  init<Base: RandomAccessCollection>(_ base: Base, _ keyPath: KeyPath<Base.Element, Element>)
  where Base.Index == Int {
    size = { base.count }
    element = { base[$0][keyPath: keyPath] }
    elementPath = {
      let trail = KeyPathTracer.Trail()
      guard let type = Base.Element.self as? ObjectBase.Type,
        let recorder = KeyPathTracer.recorder(type, trail) as? Base.Element
      else { return [] }
      _ = recorder[keyPath: keyPath]
      return trail.names
    }
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// How many elements there are.
  public var endIndex: Int { size() }
  /// What the element at a place shows.
  public subscript(position: Int) -> Element { element(position) }

  /// The elements, a hundred at most.
  public var description: String {
    let shown = prefix(100).map { "\t\($0)" }
    let rest = count > 100 ? ["\t... \(count - 100) elements skipped."] : []
    return "ProjectedCollection<\(Element.self)> (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }
}

/// A projected collection, whatever its elements show.
protocol AnyProjectedCollection {
  var elementPath: () -> [String] { get }
}

extension ProjectedCollection: AnyProjectedCollection {}

/// Takes the property that a collection is projected to: `friends.projectTo.name`.
@dynamicMemberLookup
public struct ElementMapper<Base: RandomAccessCollection> where Base.Index == Int {
  let base: Base

  /// The property of every element.
  public subscript<Value>(
    dynamicMember keyPath: KeyPath<Base.Element, Value>
  ) -> ProjectedCollection<Value> {
    ProjectedCollection(base, keyPath)
  }
}
