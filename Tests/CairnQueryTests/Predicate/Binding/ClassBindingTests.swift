import CairnQuery
import CairnStorage
import CairnValues
import Testing

/// Predicates bound to one of several classes: links, collections, aggregates, subqueries,
/// locations.
@Suite struct ClassBindingTests {
  static func bound(_ text: String) throws -> BoundPredicate {
    try Predicate(parsing: text).bound(to: KennelSchema.person, in: KennelSchema.schema)
  }

  @Test(arguments: BoundTexts.cases)
  func bindings(_ text: String, _ expected: String) throws {
    #expect(try Self.bound(text).description == expected)
  }

  @Test(arguments: BoundTexts.cases)
  func bindingTwiceChangesNothing(_ text: String, _ expected: String) throws {
    let once = try Self.bound(text)
    let again = Predicate(once.root.written)
    #expect(try again.bound(to: KennelSchema.person, in: KennelSchema.schema) == once)
    #expect(try Self.bound(expected) == once)
  }

  @Test(arguments: PathErrors.cases + CollectionErrors.cases + UnsupportedForms.cases)
  func rejectedPredicatesAndTheirMessages(_ text: String, _ expected: String) {
    do throws(PredicateError) {
      let bound = try Predicate(parsing: text)
        .bound(to: KennelSchema.person, in: KennelSchema.schema)
      Issue.record("'\(text)' was bound as \(bound)")
    } catch {
      #expect(error.description == expected)
    }
  }
}

/// Predicates on `KennelSchema.person`, and their bound forms.
enum BoundTexts {
  static let cases: [(String, String)] = [
    ("ANY dogs.age > 5", "ANY dogs.age > 5"),
    ("ALL dogs.age > 5", "ALL dogs.age > 5"),
    ("NONE dogs.age > 5", "NOT ANY dogs.age > 5"),
    ("some dogs.age > 5", "ANY dogs.age > 5"),
    ("ANY dogs.toys.name == 'x'", "ANY dogs.toys.name == 'x'"),
    ("ANY dogs.toys.@count > 2", "ANY dogs.toys.@count > 2"),
    ("dogs.@count > 2", "dogs.@count > 2"),
    ("dogs.@avg.age == 5", "dogs.@avg.age == 5"),
    ("dogs.age.@avg == 5", "dogs.@avg.age == 5"),
    ("scores.@max > 3", "scores.@max > 3"),
    ("scores.@sum == nil", "FALSEPREDICATE"),
    ("scores.@max == nil", "scores.@max == nil"),
    ("dogs.@max.born > 2024-05-01", "dogs.@max.born > 2024-05-01"),
    ("dogs.@sum.price > 3.5", "dogs.@sum.price > decimal128(3.5)"),
    ("dogs.@sum.toy.price > 3", "dogs.@sum.toy.price > 3"),
    ("dogs.@sum.any > 3", "dogs.@sum.`any` > decimal128(3)"),
    ("favourite.toys.@count > 3", "favourite.toys.@count > 3"),
    ("favourite.toys.@min.price BETWEEN {1, 2}", "favourite.toys.@min.price BETWEEN {1, 2}"),
    ("ghost == nil", "ghost == nil"),
    ("favourite == nil", "favourite == nil"),
    ("favourite > nil", "FALSEPREDICATE"),
    ("favourite == favourite", "favourite == favourite"),
    ("`best friend`.`best friend`.name == name", "`best friend`.`best friend`.name == name"),
    ("ANY friends.name == name", "ANY friends.name == name"),
    ("5 IN scores", "ANY scores == 5"),
    ("name IN tags", "ANY tags == name"),
    ("name IN dogs.name", "ANY dogs.name == name"),
    ("'x' IN[c] tags", "ANY tags ==[c] 'x'"),
    ("NONE tags IN {'a', 'b'}", "NOT ANY tags IN {'a', 'b'}"),
    ("ALL scores IN {1, 2, nil}", "ALL scores IN {1, 2, nil}"),
    ("ALL scores IN {}", "ALL scores IN {}"),
    ("ANY scores IN {}", "FALSEPREDICATE"),
    ("ALL scores > nil", "ALL scores IN {}"),
    ("ANY scores != nan", "NOT ALL scores IN {}"),
    ("ALL scores != nan", "TRUEPREDICATE"),
    ("NOT ANY scores != nan", "NOT NOT ALL scores IN {}"),
    ("limits['a'] > 5", "limits['a'] > 5"),
    ("pets['a'].name == 'Rex'", "pets['a'].name == 'Rex'"),
    ("pets['a'] == nil", "pets['a'] == nil"),
    ("pets.@allKeys == 'a'", "ANY pets.@allKeys == 'a'"),
    ("ALL pets.@allKeys BEGINSWITH 'a'", "ALL pets.@allKeys BEGINSWITH 'a'"),
    ("ANY pets.name == 'a'", "ANY pets.name == 'a'"),
    ("ANY pets.@allValues.name == 'a'", "ANY pets.name == 'a'"),
    ("pets.@allValues.name == 'a'", "ANY pets.name == 'a'"),
    ("limits.@allValues > 5", "ANY limits > 5"),
    ("limits.@sum > 5", "limits.@sum > 5"),
    ("limits.@allValues.@sum > 5", "limits.@sum > 5"),
    ("limits.@allKeys.@count > 5", "limits.@count > 5"),
    ("limits.@count > 5", "limits.@count > 5"),
    ("tags[*] == 'x'", "ANY tags == 'x'"),
    ("any == 1", "`any` == 1"),
    ("any == 'x'", "`any` == 'x'"),
    ("any > 5", "`any` > 5"),
    ("any == nil", "`any` == nil"),
    ("any[0] == 1", "`any`[0] == 1"),
    ("any['k'][0] == 1", "`any`['k'][0] == 1"),
    ("any[*] == 1", "ANY `any`[*] == 1"),
    ("ALL any[*] == 1", "ALL `any`[*] == 1"),
    ("any[*]['k'] == 1", "ANY `any`[*]['k'] == 1"),
    ("ANY anys == 1", "ANY anys == 1"),
    ("anys[*]['k'] == 1", "ANY anys[*]['k'] == 1"),
    ("anys[*]['k']['m'] == 1", "ANY anys[*]['k']['m'] == 1"),
    ("extras['a']['b'] == 1", "extras['a']['b'] == 1"),
    ("any CONTAINS 'x'", "`any` CONTAINS 'x'"),
    ("any CONTAINS[c] 'x'", "`any` CONTAINS[c] 'x'"),
    ("any ==[c] 'x'", "`any` ==[c] 'x'"),
    ("any == name", "`any` == name"),
    ("name == any", "name == `any`"),
    ("SUBQUERY(dogs, $d, $d.age > 5).@count > 1", "SUBQUERY(dogs, $x, $x.age > 5).@count > 1"),
    (
      "SUBQUERY(dogs, $d, $d.age > 5 AND SUBQUERY($d.toys, $t, $t.name == 'x').@count > 0).@count > 1",
      "SUBQUERY(dogs, $x, $x.age > 5 AND SUBQUERY($x.toys, $y, $y.name == 'x').@count > 0).@count > 1"
    ),
    ("SUBQUERY(dogs, $d, TRUEPREDICATE).@count > 1", "dogs.@count > 1"),
    (
      "SUBQUERY(dogs, $d, $d.age > nil).@count == 0",
      "SUBQUERY(dogs, $x, FALSEPREDICATE).@count == 0"
    ),
    (
      "SUBQUERY(addresses, $a, $a.location IN geoBox([0, 0], [1, 1])).@count == 0",
      "SUBQUERY(addresses, $x, $x.location GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])).@count == 0"
    ),
    (
      "SUBQUERY(pets, $a, $a.name == 'x').@count == 0",
      "SUBQUERY(pets, $x, $x.name == 'x').@count == 0"
    ),
    ("home IN geoBox([0, 0], [1, 1])", "home GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"),
    (
      "address.location IN geoBox([0, 0], [1, 1])",
      "address.location GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    (
      "`best friend`.home GEOWITHIN geoBox([0, 0], [1, 1])",
      "`best friend`.home GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    (
      "ANY friends.address.location GEOWITHIN geoBox([0, 0], [1, 1])",
      "ANY friends.address.location GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    (
      "ALL addresses.location GEOWITHIN geoBox([0, 0], [1, 1])",
      "ALL addresses.location GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    (
      "NONE addresses.location GEOWITHIN geoBox([0, 0], [1, 1])",
      "NOT ANY addresses.location GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    (
      "ANY places GEOWITHIN geoBox([0, 0], [1, 1])",
      "ANY places GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    ("dogs.@max.age == decimal128(5)", "dogs.@max.age == decimal128(5)"),
    ("dogs.@count == 2.5", "dogs.@count == 2.5"),
    ("dogs.@count == nil", "FALSEPREDICATE"),
    ("dogs.@count != nil", "TRUEPREDICATE"),
    ("dogs.@count == age", "dogs.@count == age"),
    ("dogs.@count == scores.@max", "dogs.@count == scores.@max"),
    ("2 < dogs.@count", "dogs.@count > 2"),
    ("SELF.name == 'x'", "name == 'x'"),
    ("address == nil", "address == nil"),
    ("address == address", "address == address"),
    ("ALL dogs == nil", "ALL dogs == nil"),
    ("blob CONTAINS base64('AQI=')", "blob CONTAINS base64('AQI=')"),
    ("prices.@avg == 5", "prices.@avg == decimal128(5)"),
    ("weights.@avg == 5", "weights.@avg == 5"),
    ("days.@min > '2024-05-01'", "days.@min > 2024-05-01"),
    ("anys.@sum > 5", "anys.@sum > decimal128(5)"),
    ("anys.@max > 5", "anys.@max > 5"),
    ("anys.@max == 'x'", "anys.@max == 'x'"),
    ("ANY clubs.name == 'x'", "ANY clubs.name == 'x'"),
    ("clubs.@count > 2", "clubs.@count > 2"),
    (
      "ALL clubs.site IN geoBox([0, 0], [1, 1])",
      "ALL clubs.site GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    (
      "ANY clubs.sites IN geoBox([0, 0], [1, 1])",
      "ANY clubs.sites GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"
    ),
    ("ANY clubs.members.age > 5", "ANY clubs.members.age > 5"),
    ("ANY clubs.members.@count > 5", "ANY clubs.members.@count > 5"),
    ("ANY favourite.keepers.name == name", "ANY favourite.keepers.name == name"),
    ("favourite.keepers.@avg.age > 5", "favourite.keepers.@avg.age > 5"),
    (
      "SUBQUERY(clubs, $c, ANY $c.members.age > 5).@count > 0",
      "SUBQUERY(clubs, $x, ANY $x.members.age > 5).@count > 0"
    ),
    ("favourite == object(2, 7)", "favourite == object(2, 7)"),
    ("favourite IN {object(2, 7), nil}", "favourite IN {object(2, 7), nil}"),
    ("favourite == object(0, -1)", "FALSEPREDICATE"),
    ("favourite != object(0, -1)", "TRUEPREDICATE"),
    ("favourite IN {object(0, -1), nil}", "favourite IN {nil}"),
    ("object(2, 7) IN dogs", "ANY dogs == object(2, 7)"),
    ("NONE dogs == object(0, -1)", "TRUEPREDICATE"),
    ("ANY dogs != object(0, -1)", "NOT ALL dogs IN {}"),
    ("any == object(2, 7)", "`any` == object(2, 7)"),
    ("pets['a'] == object(2, 7)", "pets['a'] == object(2, 7)"),
    ("address == object(4, 7)", "address == object(4, 7)"),
  ]
}
