import CairnGeometry
import CairnObjects
import FoundationEssentials

class Leaf: Object {
  @Persisted var name = ""
  @Persisted var size = 0
  @Persisted var flag = false
  @Persisted var tags: List<String>
  @Persisted(originProperty: "leaves") var boughs: LinkingObjects<Bough>
}

class Nest: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
  @Persisted var label: String?
}

class Bough: Object {
  @Persisted var leaves: List<Leaf>
  @Persisted var leafSet: MutableSet<Leaf>
  @Persisted var leafMap: Map<String, Leaf?>
  @Persisted var main: Leaf?
  @Persisted var numbers: List<Int>
  @Persisted var halves: List<Double?>
  @Persisted var words: MutableSet<String>
  @Persisted var dates: List<Date>
  @Persisted var scores: Map<String, Int>
  @Persisted var notes: Map<String, String?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var nest: Nest?
  @Persisted var nests: List<Nest>
  @Persisted var parts: List<Bough>
}

/// Its names in the store are others.
class OtherwiseNamed: Object {
  @Persisted var title = ""
  @Persisted var rank = 0
  @Persisted var other: OtherwiseNamed?

  override class func propertiesMapping() -> [String: String] {
    ["title": "the_title", "rank": "other_rank", "other": "link"]
  }
}
