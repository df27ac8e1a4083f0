import CairnQuery

extension Join where Right: ObjectBase & RealmCollectionValue {
  /// The number of left objects for each two partners that they have, one in this join and one in
  /// another join of the same objects, in the order in which the partners were added.
  ///
  ///     let starts = trips.joined(to: zones, on: .within(\.pickup, \.area))
  ///     let ends = trips.joined(to: zones, on: .within(\.dropoff, \.area))
  ///     for flow in starts.flows(to: ends) {
  ///       print(flow.origin.name, flow.destination.name, flow.count)
  ///     }
  ///
  /// An object that has several partners in a join counts for each of them, and one without partners
  /// in either of the joins for none.
  public func flows<Destination: ObjectBase & RealmCollectionValue>(
    to other: Join<Left, Destination>
  ) -> JoinFlows<Right, Destination> {
    guard left.handle === other.left.handle else {
      programmingError("Flows need two joins of the same objects.")
    }
    let flows = run { join in other.run { try join.flows(to: $0) } }
    return JoinFlows(flows, origin: right.handle, destination: other.right.handle)
  }
}

/// The objects that have one partner in a first join, and one in a second: `starts.flows(to: ends)`.
public struct JoinFlow<Origin, Destination> {
  /// The partner in the first join.
  public let origin: Origin
  /// The partner in the second join.
  public let destination: Destination
  /// The number of objects.
  public let count: Int
}

/// The flows between the partners of two joins. The objects are created when they are accessed.
public struct JoinFlows<
  Origin: ObjectBase & RealmCollectionValue, Destination: ObjectBase & RealmCollectionValue
>: RandomAccessCollection {
  private let flows: [FlowCount]
  private let origin: ClassHandle
  private let destination: ClassHandle

  init(_ flows: [FlowCount], origin: ClassHandle, destination: ClassHandle) {
    self.flows = flows
    self.origin = origin
    self.destination = destination
  }

  /// The position of the first flow.
  public var startIndex: Int { 0 }
  /// The position after the last flow.
  public var endIndex: Int { flows.count }

  /// The flow at a position.
  public subscript(position: Int) -> JoinFlow<Origin, Destination> {
    let flow = flows[position]
    return JoinFlow(
      origin: Origin._object(at: Row(handle: origin, key: flow.origin)),
      destination: Destination._object(at: Row(handle: destination, key: flow.destination)),
      count: flow.count)
  }
}
