/// A layer of a file, as a list of layers shows it.
package struct LayerSummary: Sendable, Equatable {
  /// The name of the layer.
  package let name: String
  /// The number of its rows; nil if counting them would take long.
  package let count: Int?
  /// Whether its rows have geometries.
  package let hasGeometry: Bool
}
