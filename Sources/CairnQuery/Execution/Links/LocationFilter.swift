import CairnGeometry
import CairnStorage

/// A region that holds the location which an embedded object describes: for those in collections, which no R-tree holds.
final class LocationFilter: Filter, @unchecked Sendable {
  private let type: Column
  private let coordinates: Column
  private let region: Region

  /// Nil when objects of the class have not the shape of a location.
  init?(_ table: Table, _ region: Region) {
    guard table.schema.isLocation, let type = table.schema.column(named: "type"),
      let coordinates = table.schema.column(named: "coordinates")
    else { return nil }
    self.type = table.column(type.position)
    self.coordinates = table.column(coordinates.position)
    self.region = region
  }

  override var cost: Double { 40 }
  override var description: String { "location within \(region.description)" }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let types = type.chunk(index)
    let places = coordinates.chunk(index)
    let schema = coordinates.schema
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let row = word << 6 | bit
        guard !types.isRowNull(row), types.rowBytes(row).isPoint else { return false }
        let place = places.collection(at: row, of: schema)
        guard place.count >= 2, !place.isNull(at: 0), !place.isNull(at: 1) else { return false }
        let (longitude, latitude) = (place.double(at: 0), place.double(at: 1))
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return false }
        return region.contains(longitude: longitude, latitude: latitude)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      _ = type.chunk(chunk)
      _ = coordinates.chunk(chunk)
    }
  }
}
