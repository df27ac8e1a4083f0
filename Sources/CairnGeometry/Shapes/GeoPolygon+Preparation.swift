extension GeoPolygon {
  /// What is worked out once and kept: asking the same polygon again costs no preparation.
  final class Preparation: @unchecked Sendable {
    // Sendable: both are only touched under `lock`.
    private let lock = Lock()
    private var region: Region?
    private var verdict: Result<Void, GeometryError>?

    func region(_ make: () -> Region) -> Region {
      lock.withLock {
        if let region { return region }
        let made = make()
        region = made
        return made
      }
    }

    func verdict(_ judge: () -> Result<Void, GeometryError>) -> Result<Void, GeometryError> {
      lock.withLock {
        if let verdict { return verdict }
        let judged = judge()
        verdict = judged
        return judged
      }
    }
  }
}
