import Cairn

/// Jobs with conditions on properties, with and without areas.
extension Jobs {
  func withCondition() throws {
    let circles = try circles(metres: 50000)
    let boxes = try queries.boxes(width: "1")
    let polygons = try queries.polygons("star5", .planar)
    try report("J6 circle 50 km AND pred", circles.count) {
      .count(fitting.within(circles[$0]).count)
    }
    try report("J6 box 1 deg AND pred", boxes.count) { .count(fitting.within(boxes[$0]).count) }
    try report("J6 polygon star5 AND pred", polygons.count) {
      .count(fitting.within(polygons[$0]).count)
    }
    try report("J7 circle 50 km top 10", circles.count) { top(fitting.within(circles[$0])) }
    try report("J7 box 1 deg top 10", boxes.count) { top(fitting.within(boxes[$0])) }
    try report("J7 polygon star5 top 10", polygons.count) { top(fitting.within(polygons[$0])) }
  }

  func everywhere() throws {
    try report("J10 count population", 1) { _ in
      .count(all.filter("population > %@", queries.predicate.population_gt).count)
    }
    try report("J10 count category", 1) { _ in
      .count(all.filter("category == %@", queries.predicate.category).count)
    }
    for (name, condition) in [
      ("two integers", "population > id"), ("two texts", "category == category"),
    ] {
      try report("J10 count \(name)", 1) { _ in .count(all.filter(condition).count) }
    }
    try report("J10 top 10 population", 1) { _ in top(all) }
  }

  private var fitting: Results<DynamicObject> {
    all.filter(
      "population > %@ AND category == %@", queries.predicate.population_gt,
      queries.predicate.category)
  }

  /// Reads all properties of the ten most populous objects.
  private func top(_ results: Results<DynamicObject>) -> Answer {
    let order = [SortDescriptor(keyPath: "population", ascending: false), "id"]
    return .keys(results.sorted(by: order).limit(10).each(read))
  }

  /// Reads every property of an object, and returns its id.
  private func read(_ object: DynamicObject) -> Int {
    for property in object.objectSchema.properties { _ = object[property.name] }
    return id(object)
  }

  private func id(_ object: DynamicObject) -> Int { object["id"] as? Int ?? -1 }

  func nearest() throws {
    let places = try queries.places
    for count in queries.knn_k {
      try report("J9 knn \(count)", places.count) {
        .keys(all.nearest(to: places[$0]).limit(count).each(id))
      }
    }
  }

  func aggregate() throws {
    let circles = try circles(metres: 500_000)
    try report("J8 agg circle 500 km", circles.count) { place in
      let population = all.within(circles[place]).aggregate(of: "population")
      return .numbers(
        [population.average]
          + [population.sum, population.min, population.max].map { ($0 as? Int).map(Double.init) })
    }
    let boxes = try queries.boxes(width: "10")
    try report("J8 group by box 10 deg", boxes.count) { place in
      let groups = all.within(boxes[place]).aggregate(of: ["population"], by: ["category"])
      return .groups(
        groups.map { group in
          let population = group.aggregate(of: "population")
          return (group["category"] as? String ?? "", population.count, population.average ?? .nan)
        })
    }
  }
}

extension Results {
  /// The results of `read` for every object, in one pass; `map` would look up each object by its
  /// index.
  func each(_ read: (Element) -> Int) -> [Int] {
    var answers: [Int] = []
    for object in self { answers.append(read(object)) }
    return answers
  }
}
