import Foundation

/// Stores that many tests read, created once.
public enum SampleStores {
  /// Eight places with every type, nulls, and a column whose name has a comma and a space.
  public static let places = """
    id,name,kind,lat,lon,population,founded,open,"odd name, really"
    1,Brisbane,city,-27.4705,153.026,2560720,1825-09-01,true,a
    2,Ipswich,city,-27.6144,152.7609,229208,1827-05-01,true,b
    3,"Byron Bay, NSW",town,-28.6434,153.6122,6330,,false,a
    4,Paris,city,48.8566,2.3522,2102650,,true,c
    5,Versailles,town,48.8049,2.1204,84808,1038-01-01,true,
    6,Suva,city,-18.1416,178.4419,93970,1849-01-01,,c
    7,Apia,city,-13.8333,-171.7667,37391,,true,c
    8,Pole,station,-90,0,,1957-01-23,false,

    """

  private static let scratch = Result {
    // A static is never deinitialized, so the folder is removed when the process exits.
    atexit { SampleStores.remove() }
    return try TemporaryFolder()
  }
  private static let madePlaces = Result {
    try make(scratch.get().file("places.csv", places).path, "--key", "id")
  }
  private static let madeCities = Result { try make(Repository.data("cities.csv"), "--key", "id") }
  private static let madeGraticule = Result {
    try make(Repository.data("truth/graticule5.csv"), "--key", "id")
  }

  /// The store of `places`, class `places`.
  public static func placesStore() throws -> String { try madePlaces.get() }

  /// The store of data/cities.csv, class `cities`.
  public static func citiesStore() throws -> String { try madeCities.get() }

  /// The store of data/truth/graticule5.csv, class `graticule5`.
  public static func graticuleStore() throws -> String { try madeGraticule.get() }

  private static func make(_ file: String, _ options: String...) throws -> String {
    let name = file.split(separator: "/").last ?? ""
    let store = try scratch.get()["\(name).cairn"]
    let outcome = try Command.run(["import", store, file] + options)
    guard outcome.code == 0 else { throw Command.Failure(description: outcome.errors) }
    return store
  }

  private static func remove() {
    if case .success(let scratch) = scratch { try? FileManager.default.removeItem(at: scratch.url) }
  }
}

/// Returns the lines of a query on the sample class `places`.
public func queryPlaces(_ options: String...) throws -> [String] {
  let outcome = try Command.run(["query", SampleStores.placesStore(), "places"] + options)
  guard outcome.code == 0 else { throw Command.Failure(description: outcome.errors) }
  return outcome.lines
}
