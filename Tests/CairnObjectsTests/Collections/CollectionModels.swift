import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Mood: String, PersistableEnum {
  case calm, wild
}

class Toy: Object {
  @Persisted var name = ""
  @Persisted var price = 0
  @Persisted(originProperty: "toys") var boxes: LinkingObjects<ToyBox>
  @Persisted(originProperty: "favourite") var fans: LinkingObjects<ToyBox>

  convenience init(_ name: String, _ price: Int) {
    self.init()
    self.name = name
    self.price = price
  }
}

class Sticker: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var notes: List<String>

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

/// A class with collections of every kind.
class ToyBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var favourite: Toy?
  @Persisted var toys: List<Toy>
  @Persisted var stickers: List<Sticker>
  @Persisted var numbers: List<Int>
  @Persisted var gaps: List<Int?>
  @Persisted var doubles: List<Double>
  @Persisted var words: List<String>
  @Persisted var moods: List<Mood>
  @Persisted var ids: List<ObjectId>
  @Persisted var dates: List<Date?>
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var wordSet: MutableSet<String>
  @Persisted var numberSet: MutableSet<Int>
  @Persisted var toySet: MutableSet<Toy>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var wordMap: Map<String, String>
  @Persisted var numberMap: Map<String, Int?>
  @Persisted var toyMap: Map<String, Toy?>
  @Persisted var stickerMap: Map<String, Sticker?>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var value: AnyRealmValue
}
