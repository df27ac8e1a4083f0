/// Invalid predicates and their error messages: structure, constants, names.
enum SyntaxErrors {
  static let cases: [(String, String)] = [
    (
      #""#,
      #"""
      Expected a condition, found the end of the predicate.
        
        ^
      """#
    ),
    (
      #"a"#,
      #"""
      Expected an operator, found the end of the predicate. There are == != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES TEXT GEOWITHIN GEOINTERSECTS GEOCONTAINS GEODISJOINT GEOTOUCHES GEOCROSSES GEOOVERLAPS GEOEQUALS.
        a
         ^
      """#
    ),
    (
      #"a >"#,
      #"""
      Expected a value or a property, found the end of the predicate.
        a >
           ^
      """#
    ),
    (
      #"a > >"#,
      #"""
      Expected a value or a property, found '>'.
        a > >
            ^
      """#
    ),
    (
      #"a = = 1"#,
      #"""
      Expected a value or a property, found '='.
        a = = 1
            ^
      """#
    ),
    (
      #"> 5"#,
      #"""
      Expected a condition, found '>'.
        > 5
        ^
      """#
    ),
    (
      #"a > 5 b"#,
      #"""
      Expected AND, OR or the end of the predicate, found 'b'.
        a > 5 b
              ^
      """#
    ),
    (
      #"a > 5 AND"#,
      #"""
      Expected a condition, found the end of the predicate.
        a > 5 AND
                 ^
      """#
    ),
    (
      #"a > 5 AND AND b = 1"#,
      #"""
      Expected a condition, found 'AND'. A property of that name is written in backquotes: `AND`.
        a > 5 AND AND b = 1
                  ^
      """#
    ),
    (
      #"a > 5 OR"#,
      #"""
      Expected a condition, found the end of the predicate.
        a > 5 OR
                ^
      """#
    ),
    (
      #"NOT"#,
      #"""
      Expected a condition, found the end of the predicate.
        NOT
           ^
      """#
    ),
    (
      #"NOT a"#,
      #"""
      Expected an operator, found the end of the predicate. There are == != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES TEXT GEOWITHIN GEOINTERSECTS GEOCONTAINS GEODISJOINT GEOTOUCHES GEOCROSSES GEOOVERLAPS GEOEQUALS.
        NOT a
             ^
      """#
    ),
    (
      #"!"#,
      #"""
      Expected a condition, found the end of the predicate.
        !
         ^
      """#
    ),
    (
      #"("#,
      #"""
      Expected a condition, found the end of the predicate.
        (
         ^
      """#
    ),
    (
      #"()"#,
      #"""
      Expected a condition, found ')'.
        ()
         ^
      """#
    ),
    (
      #"(a > 5"#,
      #"""
      The parenthesis is never closed.
        (a > 5
        ^
      """#
    ),
    (
      #"a > 5)"#,
      #"""
      This parenthesis was never opened.
        a > 5)
             ^
      """#
    ),
    (
      #"((a > 5) AND b = 1"#,
      #"""
      The parenthesis is never closed.
        ((a > 5) AND b = 1
        ^
      """#
    ),
    (
      #"AND a = 1"#,
      #"""
      Expected a condition, found 'AND'. A property of that name is written in backquotes: `AND`.
        AND a = 1
        ^
      """#
    ),
    (
      #"a ~ 5"#,
      #"""
      '~' does not belong in a predicate.
        a ~ 5
          ^
      """#
    ),
    (
      #"a ? 5"#,
      #"""
      '?' does not belong in a predicate.
        a ? 5
          ^
      """#
    ),
    (
      #"a = 'x"#,
      #"""
      The quote is never closed.
        a = 'x
            ^
      """#
    ),
    (
      #"a = "x"#,
      #"""
      The quote is never closed.
        a = "x
            ^
      """#
    ),
    (
      #"a = 'x\q'"#,
      #"""
      This escape is unknown; there are \' \" \\ \n \t \r and \uXXXX, and a backslash is written twice.
        a = 'x\q'
              ^
      """#
    ),
    (
      #"a = '\u12'"#,
      #"""
      \u takes four hexadecimal digits.
        a = '\u12'
             ^
      """#
    ),
    (
      #"a = '\uD800'"#,
      #"""
      Half a surrogate pair is not a code point.
        a = '\uD800'
             ^
      """#
    ),
    (
      #"a = '\uD800\u0041'"#,
      #"""
      Half a surrogate pair is not a code point.
        a = '\uD800\u0041'
             ^
      """#
    ),
    (
      #"`a = 1"#,
      #"""
      The backquote is never closed.
        `a = 1
        ^
      """#
    ),
    (
      #"`` = 1"#,
      #"""
      A name in backquotes is empty.
        `` = 1
        ^
      """#
    ),
    (
      #"a = 5x"#,
      #"""
      'x' is not part of a number; only the radius of geoCircle and the length behind GEODISTANCE have a unit.
        a = 5x
             ^
      """#
    ),
    (
      #"a = 5km"#,
      #"""
      'km' is not part of a number; only the radius of geoCircle and the length behind GEODISTANCE have a unit.
        a = 5km
             ^
      """#
    ),
    (
      #"a = 1.2.3"#,
      #"""
      Expected AND, OR or the end of the predicate, found '.3'.
        a = 1.2.3
               ^
      """#
    ),
    (
      #"a = 1..2"#,
      #"""
      Expected AND, OR or the end of the predicate, found '.'.
        a = 1..2
             ^
      """#
    ),
    (
      #"a = 2024-13-01"#,
      #"""
      '2024-13-01' is not a date; one looks like 2024-05-01 or 2024-05-01T12:00:00Z.
        a = 2024-13-01
            ^
      """#
    ),
    (
      #"a = 2024-02-30"#,
      #"""
      '2024-02-30' is not a date; one looks like 2024-05-01 or 2024-05-01T12:00:00Z.
        a = 2024-02-30
            ^
      """#
    ),
    (
      #"a = 2024-05-01T25:00:00Z"#,
      #"""
      '2024-05-01T25:00:00Z' is not a date; one looks like 2024-05-01 or 2024-05-01T12:00:00Z.
        a = 2024-05-01T25:00:00Z
            ^
      """#
    ),
    (
      #"a = 2024-05-01T"#,
      #"""
      '2024-05-01T' is not a date; one looks like 2024-05-01 or 2024-05-01T12:00:00Z.
        a = 2024-05-01T
            ^
      """#
    ),
    (
      #"a = 20240501-01"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        a = 20240501-01
                    ^
      """#
    ),
    (
      #"a = 99999999999999999999999999999999999999999999e999999"#,
      #"""
      The number is out of range for every number type.
        a = 99999999999999999999999999999999999999999999e999999
            ^
      """#
    ),
  ]
}
