/// Aggregates, subqueries and locations that do not bind to a class, and their error messages.
enum CollectionErrors {
  static let cases: [(String, String)] = [
    (
      #"dogs.toys.@count > 2"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'dogs' is a collection; write ANY dogs.toys.@count, ALL dogs.toys.@count, or a number such as dogs.@count.
        dogs.toys.@count > 2
        ^
      """#
    ),
    (
      #"dogs.@avg == 5"#,
      #"""
      '@avg' needs a property of the objects, as in dogs.@avg.age.
        dogs.@avg == 5
        ^
      """#
    ),
    (
      #"tags.@max > 'x'"#,
      #"""
      Operation 'max' not supported for string property 'Person.tags'.
        tags.@max > 'x'
        ^
      """#
    ),
    (
      #"flags.@sum > 1"#,
      #"""
      Operation 'sum' not supported for bool property 'Person.flags'.
        flags.@sum > 1
        ^
      """#
    ),
    (
      #"dogs.@avg.born > 2024-05-01"#,
      #"""
      Cannot sum or average date properties; 'Dog.born' has @min and @max.
        dogs.@avg.born > 2024-05-01
        ^
      """#
    ),
    (
      #"dogs.@sum.name > 3"#,
      #"""
      Operation 'sum' not supported for string property 'Dog.name'.
        dogs.@sum.name > 3
        ^
      """#
    ),
    (
      #"dogs.@sum.nme > 3"#,
      #"""
      Property 'nme' not found in object of type 'Dog'. Did you mean 'name'?
        dogs.@sum.nme > 3
                  ^
      """#
    ),
    (
      #"dogs.@sum.toys.price > 3"#,
      #"""
      '@sum' applies to one collection; 'dogs.toys' is a second one.
        dogs.@sum.toys.price > 3
                  ^
      """#
    ),
    (
      #"age.@count > 3"#,
      #"""
      '@count' needs a collection; property 'age' of type 'int' is not one.
        age.@count > 3
        ^
      """#
    ),
    (
      #"favourite.@count > 3"#,
      #"""
      '@count' needs a collection; property 'favourite' of type 'object' is not one.
        favourite.@count > 3
        ^
      """#
    ),
    (
      #"limits.@allKeys > 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'limits.@allKeys' of type 'string'. Text is written in quotes.
        limits.@allKeys > 5
                          ^
      """#
    ),
    (
      #"labels.@allKeys.@max > 5"#,
      #"""
      Operation 'max' not supported for string property 'Person.labels'.
        labels.@allKeys.@max > 5
        ^
      """#
    ),
    (
      #"tags.@allKeys == 'x'"#,
      #"""
      '@allKeys' is for maps; property 'tags' of type 'string' is not one.
        tags.@allKeys == 'x'
             ^
      """#
    ),
    (
      #"any.@count > 1"#,
      #"""
      '@count' needs a collection; property 'any' of type 'mixed' is not one.
        any.@count > 1
        ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.nmae == 'x').@count > 1"#,
      #"""
      Property 'nmae' not found in object of type 'Dog'. Did you mean 'name'?
        SUBQUERY(dogs, $d, $d.nmae == 'x').@count > 1
                              ^
      """#
    ),
    (
      #"SUBQUERY(tags, $d, $d.nmae == 'x').@count > 1"#,
      #"""
      SUBQUERY needs a collection of objects; the elements of property 'tags' of type 'string' are not objects.
        SUBQUERY(tags, $d, $d.nmae == 'x').@count > 1
        ^
      """#
    ),
    (
      #"SUBQUERY(favourite, $d, $d.name == 'x').@count > 1"#,
      #"""
      'SUBQUERY' needs a collection; property 'favourite' of type 'object' is not one.
        SUBQUERY(favourite, $d, $d.name == 'x').@count > 1
        ^
      """#
    ),
    (
      #"SUBQUERY(favourite.toys, $d, $d.name == 5).@count > 1"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'name' of type 'string'. Text is written in quotes.
        SUBQUERY(favourite.toys, $d, $d.name == 5).@count > 1
                                                ^
      """#
    ),
    (
      #"SUBQUERY(dogs.toys, $d, $d.name == 5).@count > 1"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'dogs' is a collection; write one SUBQUERY inside the other.
        SUBQUERY(dogs.toys, $d, $d.name == 5).@count > 1
                 ^
      """#
    ),
    (
      #"addresses.location GEOWITHIN geoBox([0, 0], [1, 1])"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'addresses' is a collection; write ANY addresses.location, ALL addresses.location, or a number such as addresses.@count.
        addresses.location GEOWITHIN geoBox([0, 0], [1, 1])
        ^
      """#
    ),
    (
      #"address GEOWITHIN geoBox([0, 0], [1, 1])"#,
      #"""
      Property 'address' links to data in the wrong format for a geoWithin query: class 'Address' would need a string 'type' and a list of doubles 'coordinates'.
        address GEOWITHIN geoBox([0, 0], [1, 1])
        ^
      """#
    ),
    (
      #"favourite GEOWITHIN geoBox([0, 0], [1, 1])"#,
      #"""
      A GEOWITHIN query can only operate on a link to an embedded class but 'Dog' is at the top level.
        favourite GEOWITHIN geoBox([0, 0], [1, 1])
        ^
      """#
    ),
    (
      #"name GEOWITHIN geoBox([0, 0], [1, 1])"#,
      #"""
      GEOWITHIN needs a location or a geometry; property 'name' of type 'string' is not one.
        name GEOWITHIN geoBox([0, 0], [1, 1])
        ^
      """#
    ),
    (
      #"dogs.@count == 'x'"#,
      #"""
      Cannot compare value 'x' of type 'string' to 'dogs.@count' of type 'int'.
        dogs.@count == 'x'
                       ^
      """#
    ),
    (
      #"dogs.@max.nam > 1"#,
      #"""
      Property 'nam' not found in object of type 'Dog'. Did you mean 'name'?
        dogs.@max.nam > 1
                  ^
      """#
    ),
    (
      #"ANY dogs.@count > 1"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'dogs.@count' is one value; compare it without ANY, ALL, NONE and value IN.
        ANY dogs.@count > 1
        ^
      """#
    ),
    (
      #"ANY favourite.toys.@count > 1"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'favourite.toys.@count' is one value; compare it without ANY, ALL, NONE and value IN.
        ANY favourite.toys.@count > 1
        ^
      """#
    ),
    (
      #"dogs.@max == nil"#,
      #"""
      '@max' needs a property of the objects, as in dogs.@max.age.
        dogs.@max == nil
        ^
      """#
    ),
    (
      #"days.@sum > 1"#,
      #"""
      Cannot sum or average date properties; 'Person.days' has @min and @max.
        days.@sum > 1
        ^
      """#
    ),
    (
      #"days.@min > 5"#,
      #"""
      Cannot compare value '5' of type 'int' to 'days.@min' of type 'date'.
        days.@min > 5
                    ^
      """#
    ),
    (
      #"name == 'x' AND SUBQUERY(dogs, $d, $d.name == 'x' AND $d.toy.pric > 1).@count > 0 AND nme == 'y'"#,
      #"""
      Property 'pric' not found in object of type 'Toy'. Did you mean 'price'?
        …ame == 'x' AND SUBQUERY(dogs, $d, $d.name == 'x' AND $d.toy.pric > 1).@count > 0 AND nme == 'y'
                                                                     ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.name == 'x').@count > 0 AND nme == 'y'"#,
      #"""
      Property 'nme' not found in object of type 'Person'. Did you mean 'name'?
        SUBQUERY(dogs, $d, $d.name == 'x').@count > 0 AND nme == 'y'
                                                          ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.name == 'x').@count > nme"#,
      #"""
      Property 'nme' not found in object of type 'Person'. Did you mean 'name'?
        SUBQUERY(dogs, $d, $d.name == 'x').@count > nme
                                                    ^
      """#
    ),
    (
      #"5 < SUBQUERY(dogs, $d, $d.nme == 'x').@count"#,
      #"""
      Property 'nme' not found in object of type 'Dog'. Did you mean 'name'?
        5 < SUBQUERY(dogs, $d, $d.nme == 'x').@count
                                  ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, SUBQUERY($d.toys, $t, $t.nme == 'x').@count > 0).@count > 1"#,
      #"""
      Property 'nme' not found in object of type 'Toy'. Did you mean 'name'?
        SUBQUERY(dogs, $d, SUBQUERY($d.toys, $t, $t.nme == 'x').@count > 0).@count > 1
                                                    ^
      """#
    ),
    (
      #"favourite.@min.age > 5"#,
      #"""
      '@min' needs a collection; property 'favourite' of type 'object' is not one.
        favourite.@min.age > 5
        ^
      """#
    ),
    (
      #"ANY SUBQUERY(dogs, $d, $d.age > 1).@count > 1"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'SUBQUERY(…).@count' is one value; compare it without ANY, ALL, NONE and value IN.
        ANY SUBQUERY(dogs, $d, $d.age > 1).@count > 1
        ^
      """#
    ),
    (
      #"ALL favourite.toys.@sum.price > 1"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'favourite.toys.@sum' is one value; compare it without ANY, ALL, NONE and value IN.
        ALL favourite.toys.@sum.price > 1
        ^
      """#
    ),
    (
      #"clubs.members.@max.age > 1"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'clubs' is a collection; write ANY clubs.members.@max, ALL clubs.members.@max, or a number such as clubs.@count.
        clubs.members.@max.age > 1
        ^
      """#
    ),
    (
      #"ANY clubs.members.@max.dogs.age > 1"#,
      #"""
      '@max' applies to one collection; 'clubs.members.dogs' is a second one.
        ANY clubs.members.@max.dogs.age > 1
                               ^
      """#
    ),
  ]
}
