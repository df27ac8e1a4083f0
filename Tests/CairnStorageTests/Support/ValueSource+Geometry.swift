import CairnGeometry
import CairnValues

extension ValueSource {
  /// The packed form of a random geometry that a column of the type holds.
  mutating func geometry(_ type: ValueType, _ flavour: Flavour) -> [UInt8] {
    var builder = GeometryBuilder()
    switch type {
    case .lineString: addMember(.lineString, flavour, to: &builder, depth: 0)
    case .polygon:
      addMember(chance(70) ? .polygon : .multiPolygon, flavour, to: &builder, depth: 0)
    default:
      let kinds = Geometry.Kind.allCases
      addMember(kinds[int(0...kinds.count - 1)], flavour, to: &builder, depth: 0)
    }
    return builder.geometry().bytes
  }

  /// A rectangle of meridians and parallels with exact corners.
  static func square(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> Value {
    var builder = GeometryBuilder()
    builder.begin(.polygon)
    builder.beginRing()
    for (x, y) in [(west, south), (east, south), (east, north), (west, north), (west, south)] {
      builder.add(longitude: x, latitude: y)
    }
    builder.endRing()
    builder.end()
    return .geometry(builder.geometry().bytes)
  }

  private mutating func addMember(
    _ kind: Geometry.Kind, _ flavour: Flavour, to builder: inout GeometryBuilder, depth: Int
  ) {
    builder.begin(kind)
    let isEmpty = flavour == .extreme && chance(20)
    switch kind {
    case .point: if !isEmpty { addVertices(1, flavour, to: &builder) }
    case .lineString: if !isEmpty { addVertices(int(2...6), flavour, to: &builder) }
    case .polygon:
      for _ in 0..<(isEmpty ? 0 : int(1...2)) {
        builder.beginRing()
        addVertices(int(3...6), flavour, to: &builder, closes: true)
        builder.endRing()
      }
    default:
      for _ in 0..<(isEmpty ? 0 : int(1...3)) {
        let member: Geometry.Kind =
          switch kind {
          case .multiPoint: .point
          case .multiLineString: .lineString
          case .multiPolygon: .polygon
          default:
            depth > 1
              ? .lineString : Geometry.Kind.allCases[int(0...Geometry.Kind.allCases.count - 1)]
          }
        addMember(member, flavour, to: &builder, depth: depth + 1)
      }
    }
    builder.end()
  }

  /// Adds vertices around a place. A ring may cross itself, because the store does not ask.
  private mutating func addVertices(
    _ count: Int, _ flavour: Flavour, to builder: inout GeometryBuilder, closes: Bool = false
  ) {
    let place = position(flavour)
    let reach = [0, 0.001, 1, 30][int(0...3)] as Double
    var vertices = (0..<count).map { _ in
      let (dx, dy) = (Double(int(-1000...1000)) / 1000, Double(int(-1000...1000)) / 1000)
      return (
        max(-180, min(180, place.longitude + dx * reach)),
        max(-90, min(90, place.latitude + dy * reach))
      )
    }
    if closes, let first = vertices.first { vertices.append(first) }
    for (x, y) in vertices {
      builder.add(
        longitude: x, latitude: y, altitude: flavour == .extreme && chance(50) ? 12.5 : nil)
    }
  }
}
