import CairnGeometry
import CairnQuery

/// The circle and the box of an empty answer with latitude and longitude exchanged, in case they were meant.
struct ExchangedPlace {
  private let question: Question
  private let area: AreaOptions
  private let circle: GeoCircle?
  private let box: GeoBox?

  init(_ area: AreaOptions, of question: Question) {
    self.question = question
    self.area = area
    circle = area.circle.flatMap(Self.exchanged)
    box = area.bbox.flatMap(Self.exchanged)
  }

  /// Says on standard error how many rows there are with the coordinates exchanged, where there are some and none
  /// without.
  func sayIfMeant() throws {
    guard circle != nil || box != nil else { return }
    let isEmpty = try question.count(within: area.circle, area.bbox) == 0
    guard isEmpty else { return }
    let count = try question.count(within: circle ?? area.circle, box ?? area.bbox)
    if count > 0 { Console.say(note(count)) }
  }

  private func note(_ count: Int) -> String {
    let orders = [
      circle.map { _ in "--near takes LATITUDE,LONGITUDE" },
      box.map { _ in "--bbox takes WEST,SOUTH,EAST,NORTH" },
    ].compactMap { $0 }.joined(separator: ", ")
    let found = Quantity.counted(count, "row")
    return "Note: no row fits, but \(found) would with latitude and longitude exchanged: \(orders)."
  }

  private static func exchanged(_ circle: GeoCircle) -> GeoCircle? {
    exchanged(circle.center).map { GeoCircle(center: $0, radius: circle.radius) }
  }

  /// What `SOUTH,WEST,NORTH,EAST` was meant to be.
  private static func exchanged(_ box: GeoBox) -> GeoBox? {
    guard let bottomLeft = exchanged(box.bottomLeft), let topRight = exchanged(box.topRight),
      bottomLeft.latitude <= topRight.latitude
    else { return nil }
    return GeoBox(bottomLeft: bottomLeft, topRight: topRight)
  }

  private static func exchanged(_ point: GeoPoint) -> GeoPoint? {
    GeoPoint(latitude: point.longitude, longitude: point.latitude)
  }
}
