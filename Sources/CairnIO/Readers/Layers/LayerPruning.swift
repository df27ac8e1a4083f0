internal import CairnGeometry
package import CairnQuery
internal import CairnValues

/// Statistics of some rows of a file.
package protocol LayerStatistics {
  /// Returns the bounds of the values of a column, as a layer has them.
  func bounds(ofColumn index: Int) -> ValueBounds

  /// The box of all positions of the geometries, in the coordinates of the file; nil if it is not known.
  var box: CoordinateBox? { get }
}

/// A condition that is decided for many rows of a layer at once, by what a file states of them.
///
/// It reads a column only if the condition of the import sees the same values as the file stores:
/// those of formulas, of columns with another type and of coordinates in another system are not known.
package struct LayerPruning: Sendable {
  private let test: BoundsTest
  private let sources: [LayerValues]
  /// The columns of the coordinates of a layer without geometries.
  private let coordinates: (latitude: Int, longitude: Int)?
  /// The bounds of columns that are known without the file's statistics, by their indices.
  private var known: [Int: ValueBounds] = [:]

  /// - Parameter condition: A condition that is bound to the columns of the plan.
  init(
    _ condition: BoundPredicate, plan: ImportPlan, layer: LayerColumns, mapping: CoordinateMapping
  ) {
    test = condition.boundsTest
    coordinates = layer.coordinates
    sources = LayerValues.all(of: plan, in: layer, mapping: mapping)
  }

  /// The same condition, where the bounds of some columns of the layer are known.
  func knowing(_ bounds: [Int: ValueBounds]) -> LayerPruning {
    var pruning = self
    pruning.known = bounds
    return pruning
  }

  private func bounds(_ index: Int, _ statistics: some LayerStatistics) -> ValueBounds {
    known[index] ?? statistics.bounds(ofColumn: index)
  }

  /// Whether a row may meet the condition.
  package func mayHold(_ statistics: some LayerStatistics) -> Bool {
    test.mayHold { column in
      switch sources[column] {
      case .values(let index, let mayBecomeNull):
        var bounds = bounds(index, statistics)
        if mayBecomeNull { bounds.mayBeNull = true }
        return bounds
      case .positions(let haveEdges):
        var bounds = ValueBounds()
        bounds.box = box(statistics)?.envelope(haveEdges: haveEdges)
        return bounds
      case .unknown: return ValueBounds()
      }
    }
  }

  private func box(_ statistics: some LayerStatistics) -> CoordinateBox? {
    guard let coordinates else { return statistics.box }
    let x = bounds(coordinates.longitude, statistics)
    let y = bounds(coordinates.latitude, statistics)
    guard let xmin = x.least?.doubleValue, let xmax = x.greatest?.doubleValue,
      let ymin = y.least?.doubleValue, let ymax = y.greatest?.doubleValue
    else { return nil }
    return CoordinateBox(xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax)
  }
}

/// The origin of a column of a plan in a layer: whether conditions on the column can be decided by what the
/// layer stores.
enum LayerValues: Sendable {
  /// The values of a column of the layer.
  case values(column: Int, mayBecomeNull: Bool)
  /// The positions of the geometries, or of the columns of coordinates.
  case positions(haveEdges: Bool)
  case unknown

  /// Returns the origins of all columns of a plan.
  static func all(
    of plan: ImportPlan, in layer: LayerColumns, mapping: CoordinateMapping
  ) -> [LayerValues] {
    plan.columns.map { column in
      switch column.content {
      case .field(let type) where column.nested == nil:
        Self.values(column.name, type, plan: plan, layer: layer)
      case .location(.only, _), .geometry(.only, _):
        if plan.geometries.makesNoPoints, case .degrees(wrapsLongitudes: false) = mapping {
          .positions(haveEdges: column.valueType != .point)
        } else {
          .unknown
        }
      default: .unknown
      }
    }
  }

  private static func values(
    _ name: String, _ type: FieldType, plan: ImportPlan, layer: LayerColumns
  ) -> LayerValues {
    guard let column = plan.fileColumn(of: name),
      let index = layer.properties.first(where: { $0.name == column })?.index
    else { return .unknown }
    let own = layer.schema.columns[index].type
    // An integer that a double cannot hold has no value in such a property.
    guard type.isStored(as: own) || type == .double && own == .int else { return .unknown }
    return .values(column: index, mayBecomeNull: own == .text && !plan.reading.nulls.isEmpty)
  }
}
