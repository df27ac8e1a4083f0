/// Predicates that do not bind to a class, and their error messages.
enum BindingErrors {
  static let cases: [(String, String)] = [
    (
      #"populaton > 5"#,
      #"""
      Property 'populaton' not found in object of type 'City'. Did you mean 'population'?
        populaton > 5
        ^
      """#
    ),
    (
      #"name == 'x' AND populaton > 5"#,
      #"""
      Property 'populaton' not found in object of type 'City'. Did you mean 'population'?
        name == 'x' AND populaton > 5
                        ^
      """#
    ),
    (
      #"name == 'x' AND TRUEPREDICATE AND NOT (height > 1 OR 5 < populaton)"#,
      #"""
      Property 'populaton' not found in object of type 'City'. Did you mean 'population'?
        name == 'x' AND TRUEPREDICATE AND NOT (height > 1 OR 5 < populaton)
                                                                 ^
      """#
    ),
    (
      #"xyzzy == 1"#,
      #"""
      Property 'xyzzy' not found in object of type 'City'. There are 'name', 'population', 'height', 'weight', 'price', 'capital', 'founded', 'location', '_id', 'code', 'blob', 'native name' and 6 more.
        xyzzy == 1
        ^
      """#
    ),
    (
      #"name == nmae"#,
      #"""
      Property 'nmae' not found in object of type 'City'. Did you mean 'name'?
        name == nmae
                ^
      """#
    ),
    (
      #"a.b == 1"#,
      #"""
      Property 'a' not found in object of type 'City'. For the property 'a.b' write `a.b` in backquotes.
        a.b == 1
        ^
      """#
    ),
    (
      #"owner.name == 'x'"#,
      #"""
      'owner.name' goes through property 'owner' of type 'object', whose class the store does not have.
        owner.name == 'x'
              ^
      """#
    ),
    (
      #"name.length == 1"#,
      #"""
      'name.length' goes through property 'name' of type 'string', which is not a link.
        name.length == 1
             ^
      """#
    ),
    (
      #"tags == 'x'"#,
      #"""
      Key paths that include a collection property must use aggregate operations: 'tags' is a collection; write ANY tags, ALL tags, or a number such as tags.@count.
        tags == 'x'
        ^
      """#
    ),
    (
      #"population == 'x'"#,
      #"""
      Cannot compare value 'x' of type 'string' to property 'population' of type 'int'.
        population == 'x'
                      ^
      """#
    ),
    (
      #"population IN {1, 'x'}"#,
      #"""
      Cannot compare value 'x' of type 'string' to property 'population' of type 'int'.
        population IN {1, 'x'}
                      ^
      """#
    ),
    (
      #"population == true"#,
      #"""
      Cannot compare value 'true' of type 'bool' to property 'population' of type 'int'.
        population == true
                      ^
      """#
    ),
    (
      #"population == 2024-05-01"#,
      #"""
      Cannot compare value '2024-05-01' of type 'date' to property 'population' of type 'int'.
        population == 2024-05-01
                      ^
      """#
    ),
    (
      #"name == 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'name' of type 'string'. Text is written in quotes.
        name == 5
                ^
      """#
    ),
    (
      #"name BETWEEN {'a', 5}"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'name' of type 'string'. Text is written in quotes.
        name BETWEEN {'a', 5}
                     ^
      """#
    ),
    (
      #"name == oid(000000000000000000000001)"#,
      #"""
      Cannot compare value 'oid(000000000000000000000001)' of type 'object id' to property 'name' of type 'string'.
        name == oid(000000000000000000000001)
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
      #"code == '123e4567-e89b-12d3-a456-426614174000'"#,
      #"""
      Cannot compare value '123e4567-e89b-12d3-a456-426614174000' of type 'string' to property 'code' of type 'uuid'. A UUID is written uuid(…), or passed as a UUID.
        code == '123e4567-e89b-12d3-a456-426614174000'
                ^
      """#
    ),
    (
      #"founded == 'yesterday'"#,
      #"""
      Cannot compare value 'yesterday' of type 'string' to property 'founded' of type 'date'. A date is written 2024-05-01 or 2024-05-01T12:00:00Z.
        founded == 'yesterday'
                   ^
      """#
    ),
    (
      #"founded == 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'founded' of type 'date'.
        founded == 5
                   ^
      """#
    ),
    (
      #"capital == 2"#,
      #"""
      Cannot compare value '2' of type 'int' to property 'capital' of type 'bool'.
        capital == 2
                   ^
      """#
    ),
    (
      #"capital > false"#,
      #"""
      Operator '>' not supported for property 'capital' of type 'bool'.
        capital > false
        ^
      """#
    ),
    (
      #"capital BETWEEN {false, true}"#,
      #"""
      Operator 'BETWEEN' not supported for property 'capital' of type 'bool'.
        capital BETWEEN {false, true}
        ^
      """#
    ),
    (
      #"location > geoPoint([1, 2])"#,
      #"""
      Operator '>' not supported for property 'location' of type 'point'.
        location > geoPoint([1, 2])
        ^
      """#
    ),
    (
      #"location == 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'location' of type 'point'.
        location == 5
                    ^
      """#
    ),
    (
      #"owner == 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'owner' of type 'object'. Compare an object with an object or nil, or name one of its properties, as in owner.name.
        owner == 5
                 ^
      """#
    ),
    (
      #"population CONTAINS '5'"#,
      #"""
      Operator 'CONTAINS' not supported for property 'population' of type 'int'.
        population CONTAINS '5'
        ^
      """#
    ),
    (
      #"location LIKE 'x'"#,
      #"""
      Operator 'LIKE' not supported for property 'location' of type 'point'.
        location LIKE 'x'
        ^
      """#
    ),
    (
      #"name CONTAINS 5"#,
      #"""
      Cannot compare value '5' of type 'int' to property 'name' of type 'string'. Text is written in quotes.
        name CONTAINS 5
                      ^
      """#
    ),
    (
      #"name CONTAINS population"#,
      #"""
      Cannot compare property 'name' of type 'string' to property 'population' of type 'int'.
        name CONTAINS population
                      ^
      """#
    ),
    (
      #"population ==[c] 5"#,
      #"""
      [c] is for text; property 'population' of type 'int' is not text.
        population ==[c] 5
        ^
      """#
    ),
    (
      #"founded IN[c] {'2024-05-01'}"#,
      #"""
      [c] is for text; property 'founded' of type 'date' is not text.
        founded IN[c] {'2024-05-01'}
        ^
      """#
    ),
    (
      #"name == population"#,
      #"""
      Cannot compare property 'name' of type 'string' to property 'population' of type 'int'.
        name == population
                ^
      """#
    ),
    (
      #"capital < capital"#,
      #"""
      Operator '<' not supported for property 'capital' of type 'bool'.
        capital < capital
        ^
      """#
    ),
    (
      #"blob == 'x'"#,
      #"""
      Cannot compare value 'x' of type 'string' to property 'blob' of type 'data'.
        blob == 'x'
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
      #"location GEOWITHIN geoPolygon({[0,0],[10,10],[10,0],[0,10],[0,0]})"#,
      #"""
      The outer ring crosses itself at longitude 5.0, latitude 5.0575149; no two of its edges may cross.
        location GEOWITHIN geoPolygon({[0,0],[10,10],[10,0],[0,10],[0,0]})
                           ^
      """#
    ),
    (
      #"price == 'x'"#,
      #"""
      Cannot compare value 'x' of type 'string' to property 'price' of type 'decimal128'.
        price == 'x'
                 ^
      """#
    ),
  ]
}
