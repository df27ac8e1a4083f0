import Cairn
import Foundation

/// A text with a location.
final class Text: Object {
  @Persisted(indexed: .fullText) var text: String
  @Persisted var place: GeoPoint?
}

/// The jobs, written as by a user of Cairn.
struct CairnSide {
  private let realm: Realm

  init(_ file: URL) throws {
    realm = try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Text.self]))
  }

  func fill(_ texts: [Texts.Text]) throws {
    try realm.write {
      for one in texts {
        let text = Text()
        text.text = one.text
        text.place = GeoPoint(latitude: one.latitude, longitude: one.longitude)
        realm.add(text)
      }
    }
  }

  func count(_ search: String) -> Int {
    realm.objects(Text.self).filter("text TEXT %@", search).count
  }

  func count(_ search: String, within circle: GeoCircle) -> Int {
    realm.objects(Text.self).where { $0.text.search(search) && $0.place.geoWithin(circle) }.count
  }

  /// The first ten matches, the most relevant first.
  func best(_ search: String) -> Int {
    realm.objects(Text.self).search(search, in: \.text).prefix(10).reduce(0) { sum, text in
      sum + (text.text.isEmpty ? 0 : 1)
    }
  }
}
