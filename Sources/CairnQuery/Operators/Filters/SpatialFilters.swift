import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// A condition on points that is tested one by one, within a region that contains all matches.
/// Null points match nothing.
final class PointFilter: Filter {
  private let column: Column
  private let matcher: LocationMatcher
  private let region: WithinFilter
  private let makeDescription: () -> String

  init(
    _ column: Column, matcher: LocationMatcher, region: WithinFilter,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.matcher = matcher
    self.region = region
    makeDescription = description
  }

  override var cost: Double { region.cost + 60 }
  override var description: String { makeDescription() }
  override var spatialAccess: SpatialAccess? { region.spatialAccess }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    region.refine(&selection, chunk: index, scratch: scratch)
    let points = column.chunk(index).points
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let point = points.point(at: word << 6 | bit)
        return matcher.holds(longitude: point.longitude, latitude: point.latitude)
      }
    }
  }

  override func prepare(_ chunks: [Int]) { region.prepare(chunks) }
}

/// A condition on geometries. Null and the empty geometry match nothing.
///
/// As an access path it streams its matches from the R-tree over the boxes (``SpatialSource``). As a
/// filter it compares the box of each row first, and the geometry only if that leaves a doubt.
final class GeometryFilter: Filter {
  let column: Column
  let matcher: GeometryMatcher
  let source: SpatialSource<BoxEntry, BoxCondition>
  private let bounds: Column
  private let makeDescription: () -> String

  init(
    _ column: Column, bounds: Column, of table: Table, matcher: GeometryMatcher,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.bounds = bounds
    self.matcher = matcher
    source = SpatialSource(table, column: bounds, condition: matcher.boxes)
    makeDescription = description
  }

  /// The cost of one geometry that its box does not decide is far greater; few rows need it.
  override var cost: Double { 200 }
  override var description: String { makeDescription() }
  override var spatialAccess: SpatialAccess? { source.index == nil ? nil : .boxes(self) }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let boxes = bounds.chunk(index)
    if let nulls = boxes.nulls { selection.remove(nulls) }
    let chunk = column.chunk(index)
    var tests = 0
    selection.keep { word, selected in
      selected.keepingEach { bit in
        switch source.condition.classify(boxes.rowBox(word << 6 | bit)) {
        case .disjoint: return false
        case .contained: return true
        case .intersecting:
          tests += 1
          return matcher.holds(GeometryView(chunk.rowBytes(word << 6 | bit)))
        }
      }
    }
    scratch.exactTests += tests
  }

  /// Keeps the rows that match among those whose boxes leave a doubt.
  func test(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    scratch.exactTests += selection.count
    selection.keep { word, selected in
      selected.keepingEach { matcher.holds(GeometryView(chunk.rowBytes(word << 6 | $0))) }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      _ = column.chunk(chunk)
      _ = bounds.chunk(chunk)
    }
  }
}

extension Chunk {
  /// The box of a row of boxes.
  @inline(__always)
  func rowBox(_ row: Int) -> Envelope {
    assert(width == MemoryLayout<SIMD4<Int32>>.size, "the chunk does not hold boxes")
    return Envelope(lanes: rowBytes(row).loadUnaligned(as: SIMD4<Int32>.self))
  }
}

/// A condition on the locations that embedded objects describe. It is for objects in collections,
/// which no R-tree covers.
final class LocationFilter: Filter {
  private let reader: EmbeddedLocations
  private let test: SpatialTest
  private let makeDescription: () -> String

  /// Nil if objects of the class do not have the shape of a location.
  init?(_ table: Table, test: SpatialTest, description: @autoclosure @escaping () -> String) {
    guard let reader = EmbeddedLocations(table) else { return nil }
    self.reader = reader
    self.test = test
    makeDescription = description
  }

  override var cost: Double { 40 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let first = RowAddress.firstKey(ofChunk: index)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        guard let location = reader.location(first | word << 6 | bit) else { return false }
        return test.holds(longitude: location.longitude, latitude: location.latitude)
      }
    }
  }

  override func prepare(_ chunks: [Int]) { reader.prepare(chunks) }
}

/// The locations that objects in the shape of a GeoJSON point describe.
struct EmbeddedLocations {
  private let type: Column
  private let coordinates: Column

  /// Nil if objects of the class do not have the shape of a location.
  init?(_ table: Table) {
    guard table.schema.isLocation, let type = table.schema.column(named: "type"),
      let coordinates = table.schema.column(named: "coordinates")
    else { return nil }
    self.type = table.column(type.position)
    self.coordinates = table.column(coordinates.position)
  }

  /// The location of an object; nil if it does not describe one.
  func location(_ key: Int) -> (longitude: Double, latitude: Double)? {
    let (index, row) = (RowAddress(key).chunk, RowAddress(key).row)
    let types = type.chunk(index)
    guard !types.isRowNull(row), types.rowBytes(row).isPoint else { return nil }
    let position = coordinates.chunk(index).collection(at: row, of: coordinates.schema)
    guard position.count >= 2, !position.isNull(at: 0), !position.isNull(at: 1) else { return nil }
    let (longitude, latitude) = (position.double(at: 0), position.double(at: 1))
    return abs(longitude) <= 180 && abs(latitude) <= 90 ? (longitude, latitude) : nil
  }

  func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      _ = type.chunk(chunk)
      _ = coordinates.chunk(chunk)
    }
  }
}
