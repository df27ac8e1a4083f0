extension Region {
  /// What the region is to a rectangle; never wrongly held or missed.
  package func classify(_ envelope: Envelope) -> Containment {
    if any(envelope.lanes .> reach) { return .missed }
    switch test {
    case .everything: return .held
    case .box(let box): return box.classify(envelope)
    case .cap(let cap, let cover):
      let answer = cover.classify(envelope)
      guard cap.isComplement else { return answer }
      return answer == .held ? .missed : answer == .missed ? .held : .cut
    case .planar(let cover): return cover.classify(envelope)
    case .geodesic(let cover): return cover.classify(envelope)
    }
  }

  /// Whether a place in degrees is in the region.
  package func contains(longitude: Double, latitude: Double) -> Bool {
    switch test {
    case .everything: true
    case .box(let box): box.contains(longitude, latitude)
    case .cap(let cap, _): cap.contains(longitude, latitude)
    case .planar(let cover): cover.contains(longitude, latitude)
    case .geodesic(let cover): cover.contains(longitude, latitude)
    }
  }
}
