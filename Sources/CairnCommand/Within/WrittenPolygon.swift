import CairnGeometry

/// A polygon of a file, and where in it.
struct WrittenPolygon {
  var draft: PolygonDraft
  /// The number of its Feature, from 1; nil outside of one.
  let feature: Int?
}

extension [WrittenPolygon] {
  /// Which of them one is, in words: nothing where there is but one.
  func name(of index: Int) -> String {
    let feature = self[index].feature
    let own = indices.filter { self[$0].feature == feature }
    let number = own.firstIndex(of: index).map { $0 + 1 } ?? 1
    let polygon = own.count > 1 ? "polygon \(number) of \(own.count)" : nil
    return [feature.map { "feature \($0)" }, polygon].compactMap { $0 }.joined(separator: ", ")
  }
}
