/// Paths through links, collections and mixed values that do not bind to a class, and their error
/// messages.
enum PathErrors {
  static let cases: [(String, String)] = [
    (
      #"dogs.age > 5"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'dogs' is a collection; write ANY dogs.age, ALL dogs.age, or a number such as dogs.@count.
        dogs.age > 5
        ^
      """#
    ),
    (
      #"ANY name == 'x'"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'name' is one value; compare it without ANY, ALL, NONE and value IN.
        ANY name == 'x'
        ^
      """#
    ),
    (
      #"favorite.name == 'x'"#,
      #"""
      Property 'favorite' not found in object of type 'Person'. Did you mean 'favourite'?
        favorite.name == 'x'
        ^
      """#
    ),
    (
      #"favourite.nmae == 'x'"#,
      #"""
      Property 'nmae' not found in object of type 'Dog'. Did you mean 'name'?
        favourite.nmae == 'x'
                  ^
      """#
    ),
    (
      #"favourite.toy.nmae == 'x'"#,
      #"""
      Property 'nmae' not found in object of type 'Toy'. Did you mean 'name'?
        favourite.toy.nmae == 'x'
                      ^
      """#
    ),
    (
      #"favourite.toy.name.x == 'x'"#,
      #"""
      'favourite.toy.name.x' goes through property 'favourite.toy.name' of type 'string', which is not a link.
        favourite.toy.name.x == 'x'
                           ^
      """#
    ),
    (
      #"ghost.name == 'x'"#,
      #"""
      'ghost.name' goes through property 'ghost' of type 'object', whose class the store does not have.
        ghost.name == 'x'
              ^
      """#
    ),
    (
      #"favourite == 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'favourite' of type 'object'. Compare an object with an object or nil, or name one of its properties, as in owner.name.
        favourite == 5
                     ^
      """#
    ),
    (
      #"favourite > 5"#,
      #"""
      Operator '>' not supported for property 'favourite' of type 'object'.
        favourite > 5
        ^
      """#
    ),
    (
      #"favourite == `best friend`"#,
      #"""
      Cannot compare property 'favourite' of type 'object' to property 'best friend' of type 'object': one leads to 'Dog', the other to 'Person'.
        favourite == `best friend`
                     ^
      """#
    ),
    (
      #"age == dogs.age"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'dogs' is a collection; write ANY dogs.age, ALL dogs.age, or a number such as dogs.@count.
        age == dogs.age
               ^
      """#
    ),
    (
      #"limits['a'].x > 5"#,
      #"""
      'limits['a'].x' goes through property 'limits['a']' of type 'int', which is not a link.
        limits['a'].x > 5
                    ^
      """#
    ),
    (
      #"limits > 5"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'limits' is a collection; write ANY limits, ALL limits, or a number such as limits.@count.
        limits > 5
        ^
      """#
    ),
    (
      #"tags[0] == 'x'"#,
      #"""
      Lists and sets have no subscripts; use ANY or ALL for their elements.
        tags[0] == 'x'
            ^
      """#
    ),
    (
      #"dogs[0].name == 'x'"#,
      #"""
      Lists and sets have no subscripts; use ANY or ALL for their elements.
        dogs[0].name == 'x'
            ^
      """#
    ),
    (
      #"name['k'] == 'x'"#,
      #"""
      Only maps and mixed values have subscripts; property 'name' of type 'string' has none.
        name['k'] == 'x'
            ^
      """#
    ),
    (
      #"limits[0] == 1"#,
      #"""
      The subscript of a map is a key, as in ['k'].
        limits[0] == 1
              ^
      """#
    ),
    (
      #"anys == 1"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'anys' is a collection; write ANY anys, ALL anys, or a number such as anys.@count.
        anys == 1
        ^
      """#
    ),
    (
      #"anys[0] == 1"#,
      #"""
      Lists and sets have no subscripts; use ANY or ALL for their elements. Write a subscript of the elements behind [*].
        anys[0] == 1
            ^
      """#
    ),
    (
      #"any.name == 1"#,
      #"""
      '`any`.name' goes through property 'any' of type 'mixed'; write a key in brackets: ['name'].
        any.name == 1
            ^
      """#
    ),
    (
      #"any ==[c] 5"#,
      #"""
      [c] is for text; the value is of type 'int'.
        any ==[c] 5
                  ^
      """#
    ),
    (
      #"any LIKE 5"#,
      #"""
      LIKE takes a text, not '5'.
        any LIKE 5
                 ^
      """#
    ),
    (
      #"ANY == 5"#,
      #"""
      Property 'ANY' not found in object of type 'Person'. Did you mean 'any'?
        ANY == 5
        ^
      """#
    ),
    (
      #"tags CONTAINS 'x'"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'tags' is a collection; write ANY tags, ALL tags, or a number such as tags.@count.
        tags CONTAINS 'x'
        ^
      """#
    ),
    (
      #"tags IN {'a'}"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'tags' is a collection; write ANY tags, ALL tags, or a number such as tags.@count.
        tags IN {'a'}
        ^
      """#
    ),
    (
      #"member > false"#,
      #"""
      Operator '>' not supported for property 'member' of type 'bool'.
        member > false
        ^
      """#
    ),
    (
      #"favourite == nil AND ANY dogs.age > 5 AND favourite.nam == 'x'"#,
      #"""
      Property 'nam' not found in object of type 'Dog'. Did you mean 'name'?
        favourite == nil AND ANY dogs.age > 5 AND favourite.nam == 'x'
                                                            ^
      """#
    ),
    (
      #"_id == '11223344556677889900aabb'"#,
      #"""
      Cannot compare value '11223344556677889900aabb' of type 'string' to property '_id' of type 'object id'. An object id is written oid(…), or passed as an ObjectId.
        _id == '11223344556677889900aabb'
               ^
      """#
    ),
    (
      #"home.x == 1"#,
      #"""
      'home.x' goes through property 'home' of type 'point', which is not a link.
        home.x == 1
             ^
      """#
    ),
    (
      #"dogs == nil"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'dogs' is a collection; write ANY dogs, ALL dogs, or a number such as dogs.@count.
        dogs == nil
        ^
      """#
    ),
    (
      #"5 == dogs.age"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'dogs' is a collection; write ANY dogs.age, ALL dogs.age, or a number such as dogs.@count.
        5 == dogs.age
             ^
      """#
    ),
    (
      #"name == favourite.nam"#,
      #"""
      Property 'nam' not found in object of type 'Dog'. Did you mean 'name'?
        name == favourite.nam
                          ^
      """#
    ),
    (
      #"best.name == 'x'"#,
      #"""
      Property 'best' not found in object of type 'Person'. There are 'name', 'age', 'height', 'price', 'born', 'member', '_id', 'code', 'blob', 'home', 'best friend', 'favourite' and 20 more.
        best.name == 'x'
        ^
      """#
    ),
    (
      #"`best friend`.agee == 1"#,
      #"""
      Property 'agee' not found in object of type 'Person'. Did you mean 'age'?
        `best friend`.agee == 1
                      ^
      """#
    ),
    (
      #"addresses[0].city == 'x'"#,
      #"""
      Lists and sets have no subscripts; use ANY or ALL for their elements.
        addresses[0].city == 'x'
                 ^
      """#
    ),
    (
      #"'x' IN name"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'name' is one value; compare it without ANY, ALL, NONE and value IN.
        'x' IN name
               ^
      """#
    ),
    (
      #"NONE name == 'x'"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'name' is one value; compare it without ANY, ALL, NONE and value IN.
        NONE name == 'x'
        ^
      """#
    ),
    (
      #"ALL favourite.name == 'x'"#,
      #"""
      Aggregate operations can only be used on key paths that include an collection property: 'favourite.name' is one value; compare it without ANY, ALL, NONE and value IN.
        ALL favourite.name == 'x'
        ^
      """#
    ),
    (
      #"friends == `best friend`"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'friends' is a collection; write ANY friends, ALL friends, or a number such as friends.@count.
        friends == `best friend`
        ^
      """#
    ),
    (
      #"any LIKE base64('AQI=')"#,
      #"""
      LIKE takes a text, not data.
        any LIKE base64('AQI=')
                 ^
      """#
    ),
    (
      #"blob LIKE base64('AQI=')"#,
      #"""
      LIKE takes a text, not data.
        blob LIKE base64('AQI=')
                  ^
      """#
    ),
    (
      #"(ANY dogs.name == 'x' OR NOT ALL dogs.agee > 5)"#,
      #"""
      Property 'agee' not found in object of type 'Dog'. Did you mean 'age'?
        (ANY dogs.name == 'x' OR NOT ALL dogs.agee > 5)
                                              ^
      """#
    ),
    (
      #"age IN dogs.agee"#,
      #"""
      Property 'agee' not found in object of type 'Dog'. Did you mean 'age'?
        age IN dogs.agee
                    ^
      """#
    ),
    (
      #"SELF.nme == 1"#,
      #"""
      Property 'nme' not found in object of type 'Person'. Did you mean 'name'?
        SELF.nme == 1
             ^
      """#
    ),
    (
      #"ANY dogs.age BETWEEN {1, 'x'}"#,
      #"""
      Cannot compare value 'x' of type 'string' to property 'dogs.age' of type 'int'.
        ANY dogs.age BETWEEN {1, 'x'}
                             ^
      """#
    ),
    (
      #"ANY dogs.name BEGINSWITH 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'dogs.name' of type 'string'. Text is written in quotes.
        ANY dogs.name BEGINSWITH 5
                                 ^
      """#
    ),
    (
      #"ANY dogs.age ==[c] 5"#,
      #"""
      [c] is for text; property 'dogs.age' of type 'int' is not text.
        ANY dogs.age ==[c] 5
        ^
      """#
    ),
    (
      #"location == nil"#,
      #"""
      Property 'location' not found in object of type 'Person'. There are 'name', 'age', 'height', 'price', 'born', 'member', '_id', 'code', 'blob', 'home', 'best friend', 'favourite' and 20 more.
        location == nil
        ^
      """#
    ),
    (
      #"favourite == object(1, 7)"#,
      #"""
      Cannot compare an object of class 'Person' to property 'favourite' of type 'object', which leads to 'Dog'.
        favourite == object(1, 7)
                     ^
      """#
    ),
    (
      #"favourite == object(99, 7)"#,
      #"""
      Cannot compare an object of class '?' to property 'favourite' of type 'object', which leads to 'Dog'.
        favourite == object(99, 7)
                     ^
      """#
    ),
    (
      #"name == object(2, 7)"#,
      #"""
      Cannot compare value 'object(2, 7)' of type 'object' to property 'name' of type 'string'.
        name == object(2, 7)
                ^
      """#
    ),
    (
      #"favourite < object(2, 7)"#,
      #"""
      Operator '<' not supported for property 'favourite' of type 'object'.
        favourite < object(2, 7)
        ^
      """#
    ),
    (
      #"favourite == object(2)"#,
      #"""
      '2' is not a valid value for object.
        favourite == object(2)
                            ^
      """#
    ),
    (
      #"favourite == object(2, x)"#,
      #"""
      '2, x' is not a valid value for object.
        favourite == object(2, x)
                            ^
      """#
    ),
    (
      #"clubs.name == 'x'"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'clubs' is a collection; write ANY clubs.name, ALL clubs.name, or a number such as clubs.@count.
        clubs.name == 'x'
        ^
      """#
    ),
    (
      #"ANY club.name == 'x'"#,
      #"""
      Property 'club' not found in object of type 'Person'. Did you mean 'clubs'?
        ANY club.name == 'x'
            ^
      """#
    ),
    (
      #"ANY favourite.keeper.name == 'x'"#,
      #"""
      Property 'keeper' not found in object of type 'Dog'. Did you mean 'keepers'?
        ANY favourite.keeper.name == 'x'
                      ^
      """#
    ),
  ]
}
