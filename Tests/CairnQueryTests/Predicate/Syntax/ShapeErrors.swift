/// Invalid predicates and their error messages: arguments, geo shapes, typed constants.
enum ShapeErrors {
  static let cases: [(String, String)] = [
    (
      #"a = %@"#,
      #"""
      The predicate asks for an argument, but none was given.
        a = %@
            ^
      """#
    ),
    (
      #"a = %d AND b = %f"#,
      #"""
      The predicate asks for an argument, but none was given.
        a = %d AND b = %f
            ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], 3e305 km)"#,
      #"""
      The radius is too large.
        p GEOWITHIN geoCircle([1, 2], 3e305 km)
                                      ^
      """#
    ),
    (
      #"a = %q"#,
      #"""
      Expected %@, %K, %d, %i, %f, %ld, %lld or %lf for an argument.
        a = %q
            ^
      """#
    ),
    (
      #"a = %"#,
      #"""
      Expected %@, %K, %d, %i, %f, %ld, %lld or %lf for an argument.
        a = %
            ^
      """#
    ),
    (
      #"a = $"#,
      #"""
      Expected the number of an argument behind '$', as in $0.
        a = $
            ^
      """#
    ),
    (
      #"a = $x"#,
      #"""
      No enclosing SUBQUERY has the variable $x.
        a = $x
            ^
      """#
    ),
    (
      #"a = $0"#,
      #"""
      The predicate asks for an argument, but none was given.
        a = $0
            ^
      """#
    ),
    (
      #"%K = 5"#,
      #"""
      The predicate asks for an argument, but none was given.
        %K = 5
        ^
      """#
    ),
    (
      #"p GEOWITHIN"#,
      #"""
      Expected a value or a property, found the end of the predicate.
        p GEOWITHIN
                   ^
      """#
    ),
    (
      #"p GEOWITHIN 5"#,
      #"""
      GEOWITHIN takes a shape, such as geoCircle, geoBox, geoPolygon or geometry('…'), or a property.
        p GEOWITHIN 5
                    ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle("#,
      #"""
      Expected '[' before a longitude and a latitude, found the end of the predicate.
        p GEOWITHIN geoCircle(
                              ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2])"#,
      #"""
      Expected ',' between the centre and the radius, found ')'.
        p GEOWITHIN geoCircle([1, 2])
                                    ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1], 2)"#,
      #"""
      Expected ',' between longitude and latitude, found ']'.
        p GEOWITHIN geoCircle([1], 2)
                                ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], -1)"#,
      #"""
      The radius of a circle must be a non-negative number.
        p GEOWITHIN geoCircle([1, 2], -1)
                                      ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], 50)"#,
      #"""
      A radius without a unit is in radians, at most pi; a length has its unit, as in 50km.
        p GEOWITHIN geoCircle([1, 2], 50)
                                      ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], 3.15)"#,
      #"""
      A radius without a unit is in radians, at most pi; a length has its unit, as in 3.15km.
        p GEOWITHIN geoCircle([1, 2], 3.15)
                                      ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], 50 furlongs)"#,
      #"""
      'furlongs' is not a unit of a radius; there are m, km, mi, nmi, ft, yd, deg and rad.
        p GEOWITHIN geoCircle([1, 2], 50 furlongs)
                                      ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], 50ly)"#,
      #"""
      'ly' is not a unit of a radius; there are m, km, mi, nmi, ft, yd, deg and rad.
        p GEOWITHIN geoCircle([1, 2], 50ly)
                                      ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2], 'x')"#,
      #"""
      Expected a radius, found the text 'x'.
        p GEOWITHIN geoCircle([1, 2], 'x')
                                      ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1km, 2], 1)"#,
      #"""
      Expected a longitude, found '1km'.
        p GEOWITHIN geoCircle([1km, 2], 1)
                               ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([181, 2], 1)"#,
      #"""
      Longitude/latitude is out of bounds: longitude 181.0, latitude 2.0; longitude comes first.
        p GEOWITHIN geoCircle([181, 2], 1)
                              ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([2, 91], 1)"#,
      #"""
      Longitude/latitude is out of bounds: longitude 2.0, latitude 91.0; longitude comes first.
        p GEOWITHIN geoCircle([2, 91], 1)
                              ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle([1, 2, -3], 1)"#,
      #"""
      An altitude must not be negative; this one is -3.0.
        p GEOWITHIN geoCircle([1, 2, -3], 1)
                              ^
      """#
    ),
    (
      #"p GEOWITHIN geoCircle((1, 2), 1)"#,
      #"""
      Expected '[' before a longitude and a latitude, found '('.
        p GEOWITHIN geoCircle((1, 2), 1)
                              ^
      """#
    ),
    (
      #"p GEOWITHIN geoBox([1, 2])"#,
      #"""
      Expected ',' between the corners: south-west, then north-east, found ')'.
        p GEOWITHIN geoBox([1, 2])
                                 ^
      """#
    ),
    (
      #"p GEOWITHIN geoBox([1, 2], [3, 4], [5, 6])"#,
      #"""
      Expected ')' behind the corners, found ','.
        p GEOWITHIN geoBox([1, 2], [3, 4], [5, 6])
                                         ^
      """#
    ),
    (
      #"p GEOWITHIN geoPolygon([1, 2], [3, 4])"#,
      #"""
      Expected '{' before the points of a ring, found '['.
        p GEOWITHIN geoPolygon([1, 2], [3, 4])
                               ^
      """#
    ),
    (
      #"p GEOWITHIN geoPolygon({[0,0],[1,0],[1,1]})"#,
      #"""
      The outer ring is not closed: it begins at longitude 0.0, latitude 0.0 and ends at longitude 1.0, latitude 1.0.
        p GEOWITHIN geoPolygon({[0,0],[1,0],[1,1]})
                    ^
      """#
    ),
    (
      #"p GEOWITHIN geoPolygon({[0,0],[1,0],[0,0]})"#,
      #"""
      The outer ring has 3 points; a ring needs at least 4, the last repeating the first.
        p GEOWITHIN geoPolygon({[0,0],[1,0],[0,0]})
                    ^
      """#
    ),
    (
      #"p GEOWITHIN geoPolygon[flat]({[0,0],[1,0],[1,1],[0,0]})"#,
      #"""
      Expected planar or geodesic, found 'flat'.
        p GEOWITHIN geoPolygon[flat]({[0,0],[1,0],[1,1],[0,0]})
                               ^
      """#
    ),
    (
      #"p GEOWITHIN geoMultiPolygon({[0,0],[1,0],[1,1],[0,0]})"#,
      #"""
      Expected '{' before the points of a ring, found '['.
        p GEOWITHIN geoMultiPolygon({[0,0],[1,0],[1,1],[0,0]})
                                     ^
      """#
    ),
    (
      #"p GEOWITHIN[c] geoBox([1,2],[3,4])"#,
      #"""
      Expected planar or geodesic, found 'c'.
        p GEOWITHIN[c] geoBox([1,2],[3,4])
                    ^
      """#
    ),
    (
      #"geoBox([1,2],[3,4]) GEOWITHIN geoBox([1,2],[3,4])"#,
      #"""
      A condition must compare a property with a value or another property.
        geoBox([1,2],[3,4]) GEOWITHIN geoBox([1,2],[3,4])
                                      ^
      """#
    ),
    (
      #"p GEOINTERSECTS[planar] geoBox([1,2],[3,4])"#,
      #"""
      A shape says itself what joins its vertices, as in geoPolygon[planar](…); GEOINTERSECTS[planar] goes with two properties.
        p GEOINTERSECTS[planar] geoBox([1,2],[3,4])
                                ^
      """#
    ),
    (
      #"p.@count GEOCONTAINS geoPoint(1, 2)"#,
      #"""
      GEOCONTAINS needs a location or a geometry on its left.
        p.@count GEOCONTAINS geoPoint(1, 2)
        ^
      """#
    ),
    (
      #"p GEOINTERSECT geoPoint(1, 2)"#,
      #"""
      Expected an operator, found 'GEOINTERSECT'. Did you mean GEOINTERSECTS?
        p GEOINTERSECT geoPoint(1, 2)
          ^
      """#
    ),
    (
      #"p ST_COVERS geoPoint(1, 2)"#,
      #"""
      Expected an operator, found 'ST_COVERS'. Did you mean GEOCONTAINS?
        p ST_COVERS geoPoint(1, 2)
          ^
      """#
    ),
    (
      #"p GEODISTANCE geoPoint(1, 2)"#,
      #"""
      Expected an operator, found 'GEODISTANCE'. A distance is written GEODISTANCE(property, shape) < 5km.
        p GEODISTANCE geoPoint(1, 2)
          ^
      """#
    ),
    (
      #"ST_Distance(p, geoPoint(1, 2)) < 5km"#,
      #"""
      Functions are not supported: 'ST_Distance(' is neither a constant nor a shape. A distance is written GEODISTANCE(property, shape) < 5km.
        ST_Distance(p, geoPoint(1, 2)) < 5km
        ^
      """#
    ),
    (
      #"GEODISTANCE(p, geoPoint(1, 2)) == 5km"#,
      #"""
      A distance is compared by < <= > or >=; shapes at a distance of 0 are found by GEOINTERSECTS.
        GEODISTANCE(p, geoPoint(1, 2)) == 5km
                                       ^
      """#
    ),
    (
      #"GEODISTANCE(p, geoPoint(1, 2)) BETWEEN {1, 2}"#,
      #"""
      A distance is compared by < <= > or >=; join two conditions with AND for a range of distances.
        GEODISTANCE(p, geoPoint(1, 2)) BETWEEN {1, 2}
                                       ^
      """#
    ),
    (
      #"GEODISTANCE(p, 5) < 5km"#,
      #"""
      GEODISTANCE measures between a property and a shape or another property.
        GEODISTANCE(p, 5) < 5km
                       ^
      """#
    ),
    (
      #"GEODISTANCE(geoPoint(1, 2), geoPoint(1, 2)) < 5km"#,
      #"""
      GEODISTANCE needs a property, and only one side may have ANY, ALL or NONE.
        GEODISTANCE(geoPoint(1, 2), geoPoint(1, 2)) < 5km
                                    ^
      """#
    ),
    (
      #"GEODISTANCE(p, geoPoint(1, 2)) < 5"#,
      #"""
      A distance without a unit is in radians, at most pi; a length has its unit, as in 5km.
        GEODISTANCE(p, geoPoint(1, 2)) < 5
                                         ^
      """#
    ),
    (
      #"GEODISTANCE(p, geoPoint(1, 2)) < 5 lightyears"#,
      #"""
      'lightyears' is not a unit of a distance; there are m, km, mi, nmi, ft, yd, deg and rad.
        GEODISTANCE(p, geoPoint(1, 2)) < 5 lightyears
                                         ^
      """#
    ),
    (
      #"5 < GEODISTANCE(p, geoPoint(1, 2))"#,
      #"""
      GEODISTANCE belongs on the left, as in GEODISTANCE(…) < 5km.
        5 < GEODISTANCE(p, geoPoint(1, 2))
            ^
      """#
    ),
    (
      #"p GEOINTERSECTS geoLine([1, 2])"#,
      #"""
      A line has at least two points.
        p GEOINTERSECTS geoLine([1, 2])
                                ^
      """#
    ),
    (
      #"p GEOINTERSECTS geometry(5)"#,
      #"""
      geometry takes WKT or hexadecimal WKB, as in geometry('LINESTRING (8 50, 9 51)').
        p GEOINTERSECTS geometry(5)
                                 ^
      """#
    ),
    (
      #"p GEOINTERSECTS geoPoint[flat](1, 2)"#,
      #"""
      Expected planar or geodesic, found 'flat'.
        p GEOINTERSECTS geoPoint[flat](1, 2)
                                 ^
      """#
    ),
    (
      #"a = oid(123)"#,
      #"""
      '123' is not a valid value for oid.
        a = oid(123)
                ^
      """#
    ),
    (
      #"a = uuid(nope)"#,
      #"""
      'nope' is not a valid value for uuid.
        a = uuid(nope)
                 ^
      """#
    ),
    (
      #"a = decimal128(x)"#,
      #"""
      'x' is not a valid value for decimal128.
        a = decimal128(x)
                       ^
      """#
    ),
    (
      #"a = base64('?')"#,
      #"""
      '?' is not a valid value for base64.
        a = base64('?')
                   ^
      """#
    ),
    (
      #"a = oid(123"#,
      #"""
      The parenthesis is never closed.
        a = oid(123
               ^
      """#
    ),
    (
      #"a = date(yesterday)"#,
      #"""
      'yesterday' is not a valid value for date.
        a = date(yesterday)
                 ^
      """#
    ),
    (
      #"a = 5 AND b = 'x' ; DROP"#,
      #"""
      ';' does not belong in a predicate.
        a = 5 AND b = 'x' ; DROP
                          ^
      """#
    ),
    (
      #"a = 1 # comment"#,
      #"""
      '#' does not belong in a predicate.
        a = 1 # comment
              ^
      """#
    ),
    (
      #"a == b == c"#,
      #"""
      Expected AND, OR or the end of the predicate, found '=='.
        a == b == c
               ^
      """#
    ),
  ]
}
