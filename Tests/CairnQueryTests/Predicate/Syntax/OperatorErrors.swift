/// Invalid predicates and their error messages: operators and operands.
enum OperatorErrors {
  static let cases: [(String, String)] = [
    (
      #"5 = 5"#,
      #"""
      A condition must compare a property with a value or another property.
        5 = 5
        ^
      """#
    ),
    (
      #"nil = nil"#,
      #"""
      A condition must compare a property with a value or another property.
        nil = nil
        ^
      """#
    ),
    (
      #"'a' CONTAINS b"#,
      #"""
      CONTAINS has its property on the left.
        'a' CONTAINS b
        ^
      """#
    ),
    (
      #"a IN 5"#,
      #"""
      IN takes values in braces, as in {1, 2, 3}, or a shape.
        a IN 5
             ^
      """#
    ),
    (
      #"a IN 'abc'"#,
      #"""
      IN takes values in braces, as in {1, 2, 3}, or a shape.
        a IN 'abc'
             ^
      """#
    ),
    (
      #"a IN {1, 2"#,
      #"""
      Expected ',' or '}' in the list, found the end of the predicate.
        a IN {1, 2
                  ^
      """#
    ),
    (
      #"a IN {1 2}"#,
      #"""
      Expected ',' or '}' in the list, found '2'.
        a IN {1 2}
                ^
      """#
    ),
    (
      #"a IN {1,}"#,
      #"""
      Expected a value, found '}'.
        a IN {1,}
                ^
      """#
    ),
    (
      #"a IN {b}"#,
      #"""
      A list holds constants.
        a IN {b}
              ^
      """#
    ),
    (
      #"a IN {{1}}"#,
      #"""
      A list holds constants.
        a IN {{1}}
             ^
      """#
    ),
    (
      #"a BETWEEN 5"#,
      #"""
      BETWEEN takes two values in braces, as in {1, 10}.
        a BETWEEN 5
                  ^
      """#
    ),
    (
      #"a BETWEEN {1}"#,
      #"""
      BETWEEN takes two values in braces, as in {1, 10}.
        a BETWEEN {1}
                  ^
      """#
    ),
    (
      #"a BETWEEN {1, 2, 3}"#,
      #"""
      BETWEEN takes two values in braces, as in {1, 10}.
        a BETWEEN {1, 2, 3}
                  ^
      """#
    ),
    (
      #"5 BETWEEN {1, 2}"#,
      #"""
      A condition must compare a property with a value or another property.
        5 BETWEEN {1, 2}
        ^
      """#
    ),
    (
      #"a = geoBox([1,2],[3,4])"#,
      #"""
      A shape goes with a relation, such as GEOWITHIN or GEOINTERSECTS.
        a = geoBox([1,2],[3,4])
            ^
      """#
    ),
    (
      #"a CONTAINS {1}"#,
      #"""
      CONTAINS takes one text.
        a CONTAINS {1}
                   ^
      """#
    ),
    (
      #"a BEGINSWTH 'x'"#,
      #"""
      Expected an operator, found 'BEGINSWTH'. Did you mean BEGINSWITH?
        a BEGINSWTH 'x'
          ^
      """#
    ),
    (
      #"a CONTIANS 'x'"#,
      #"""
      Expected an operator, found 'CONTIANS'. Did you mean CONTAINS?
        a CONTIANS 'x'
          ^
      """#
    ),
    (
      #"a REGEXP 'x.*'"#,
      #"""
      Expected an operator, found 'REGEXP'. Did you mean MATCHES?
        a REGEXP 'x.*'
          ^
      """#
    ),
    (
      #"a IS 5"#,
      #"""
      Expected NULL or NOT NULL behind IS, found '5'. Other values are compared by ==.
        a IS 5
             ^
      """#
    ),
    (
      #"a BETWEEN 1 AND b"#,
      #"""
      BETWEEN takes two values, as in BETWEEN 1 AND 10.
        a BETWEEN 1 AND b
                        ^
      """#
    ),
    (
      #"a ILIKE 'b*'"#,
      #"""
      In ILIKE, % is any text and _ one character; LIKE[c] has * and ? for them.
        a ILIKE 'b*'
                ^
      """#
    ),
    (
      #"a NOT == 5"#,
      #"""
      NOT belongs in front of a condition: write NOT a == 5
        a NOT == 5
          ^
      """#
    ),
    (
      #"a LIKE[x] 'y'"#,
      #"""
      Expected c, d or cd in the brackets of an operator, found 'x'.
        a LIKE[x] 'y'
               ^
      """#
    ),
    (
      #"a LIKE[c 'y'"#,
      #"""
      Expected ']' behind the options of an operator, found the text 'y'.
        a LIKE[c 'y'
                 ^
      """#
    ),
    (
      #"a LIKE[] 'y'"#,
      #"""
      Expected c, d or cd in the brackets of an operator, found ']'.
        a LIKE[] 'y'
               ^
      """#
    ),
    (
      #"a <[c] 'x'"#,
      #"""
      Lexicographical comparisons must be case-sensitive.
        a <[c] 'x'
          ^
      """#
    ),
    (
      #"a BETWEEN[c] {'a', 'b'}"#,
      #"""
      Lexicographical comparisons must be case-sensitive.
        a BETWEEN[c] {'a', 'b'}
          ^
      """#
    ),
    (
      #"in = 5"#,
      #"""
      Expected a condition, found 'in'. A property of that name is written in backquotes: `in`.
        in = 5
        ^
      """#
    ),
    (
      #"a.in.= 5"#,
      #"""
      Expected the name of a property, found '='.
        a.in.= 5
             ^
      """#
    ),
    (
      #"a..b = 5"#,
      #"""
      Expected the name of a property, found '.'.
        a..b = 5
          ^
      """#
    ),
    (
      #"a. = 5"#,
      #"""
      Expected the name of a property, found '='.
        a. = 5
           ^
      """#
    ),
    (
      #".a = 5"#,
      #"""
      Expected a condition, found '.'.
        .a = 5
        ^
      """#
    ),
    (
      #"a.5 = 5"#,
      #"""
      Expected an operator, found '.5'. There are == != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES TEXT GEOWITHIN GEOINTERSECTS GEOCONTAINS GEODISJOINT GEOTOUCHES GEOCROSSES GEOOVERLAPS GEOEQUALS.
        a.5 = 5
         ^
      """#
    ),
    (
      #"@count > 5"#,
      #"""
      A collection operator belongs behind a collection, as in dogs.@count.
        @count > 5
        ^
      """#
    ),
  ]
}
