/// Constructs that the language lacks or spells differently, and their error messages.
enum UnsupportedForms {
  static let cases: [(String, String)] = [
    (
      #"ANY friends.name == friends.name"#,
      #"""
      Comparing two collection columns is not permitted.
        ANY friends.name == friends.name
                            ^
      """#
    ),
    (
      #"ANY dogs.age == ANY dogs.age"#,
      #"""
      Only one side of a condition may have ANY, ALL or NONE; comparing two collections is not permitted.
        ANY dogs.age == ANY dogs.age
                        ^
      """#
    ),
    (
      #"dogs.@count.x > 1"#,
      #"""
      Nothing may follow @count in a path.
        dogs.@count.x > 1
                    ^
      """#
    ),
    (
      #"dogs.@count[0] > 1"#,
      #"""
      Nothing may follow @count in a path.
        dogs.@count[0] > 1
                   ^
      """#
    ),
    (
      #"dogs.@avg.age.@max > 1"#,
      #"""
      A path has one collection operator; '@max' is the second.
        dogs.@avg.age.@max > 1
                      ^
      """#
    ),
    (
      #"dogs.@average.age > 1"#,
      #"""
      '@average' is not a collection operator. Did you mean '@avg'?
        dogs.@average.age > 1
             ^
      """#
    ),
    (
      #"dogs.@unionOfObjects.name == 'x'"#,
      #"""
      '@unionOfObjects' is not a collection operator. There are @count @min @max @sum @avg @allKeys @allValues.
        dogs.@unionOfObjects.name == 'x'
             ^
      """#
    ),
    (
      #"SELF == 'x'"#,
      #"""
      SELF alone is a value of a list or a set of values; for a property of 'Person' write SELF.property.
        SELF == 'x'
        ^
      """#
    ),
    (
      #"self IN {1}"#,
      #"""
      SELF alone is a value of a list or a set of values; for a property of 'Person' write SELF.property.
        self IN {1}
        ^
      """#
    ),
    (
      #"age + 1 == 2"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        age + 1 == 2
            ^
      """#
    ),
    (
      #"age == age * 2"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        age == age * 2
                   ^
      """#
    ),
    (
      #"2 * age == 4"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        2 * age == 4
          ^
      """#
    ),
    (
      #"-age == 4"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        -age == 4
        ^
      """#
    ),
    (
      #"age -1 == 4"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        age -1 == 4
            ^
      """#
    ),
    (
      #"(age + 1) * 2 == 4"#,
      #"""
      Arithmetic is not part of a predicate; compute the value beforehand, or store it as a property.
        (age + 1) * 2 == 4
             ^
      """#
    ),
    (
      #"name == uppercase('x')"#,
      #"""
      Functions are not supported: 'uppercase(' is neither a constant nor a shape. Compute the value beforehand and pass it as an argument.
        name == uppercase('x')
                ^
      """#
    ),
    (
      #"name == oidd('x')"#,
      #"""
      Functions are not supported: 'oidd(' is neither a constant nor a shape. Did you mean oid?
        name == oidd('x')
                ^
      """#
    ),
    (
      #"length(name) == 2"#,
      #"""
      Functions are not supported: 'length(' is neither a constant nor a shape. Compute the value beforehand and pass it as an argument.
        length(name) == 2
        ^
      """#
    ),
    (
      #"CAST('2024', 'NSDate') == born"#,
      #"""
      Functions are not supported: 'CAST(' is neither a constant nor a shape. Compute the value beforehand and pass it as an argument.
        CAST('2024', 'NSDate') == born
        ^
      """#
    ),
    (
      #"name MATCHES favourite.name"#,
      #"""
      MATCHES takes a constant regular expression, not a property.
        name MATCHES favourite.name
                     ^
      """#
    ),
    (
      #"ANY 5 == age"#,
      #"""
      Expected a property behind 'ANY', found '5'.
        ANY 5 == age
            ^
      """#
    ),
    (
      #"ANY (dogs.age > 5)"#,
      #"""
      Expected a property behind 'ANY', found '('. It belongs inside the parenthesis.
        ANY (dogs.age > 5)
            ^
      """#
    ),
    (
      #"NONE dogs"#,
      #"""
      Expected an operator, found the end of the predicate. There are == != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES TEXT GEOWITHIN GEOINTERSECTS GEOCONTAINS GEODISJOINT GEOTOUCHES GEOCROSSES GEOOVERLAPS GEOEQUALS.
        NONE dogs
                 ^
      """#
    ),
    (
      #"$x.name == 'x'"#,
      #"""
      No enclosing SUBQUERY has the variable $x.
        $x.name == 'x'
        ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, age > 5).@count > 1"#,
      #"""
      Inside a SUBQUERY a property begins with its variable: write $d.age.
        SUBQUERY(dogs, $d, age > 5).@count > 1
                           ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $e.age > 5).@count > 1"#,
      #"""
      The variable of this SUBQUERY is $d, not $e.
        SUBQUERY(dogs, $d, $e.age > 5).@count > 1
                           ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, SUBQUERY($d.toys, $t, $d.name == 'x').@count > 0).@count > 1"#,
      #"""
      Here only $t can be used; $d belongs to the enclosing SUBQUERY.
        SUBQUERY(dogs, $d, SUBQUERY($d.toys, $t, $d.name == 'x').@count > 0).@count > 1
                                                 ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d == nil).@count > 1"#,
      #"""
      Expected '.' and a property behind $d, found '=='. Use object IN collection to test whether an object is an element.
        SUBQUERY(dogs, $d, $d == nil).@count > 1
                              ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.age > 5) > 1"#,
      #"""
      SUBQUERY is followed by .@count and a comparison: SUBQUERY(…).@count > 0.
        SUBQUERY(dogs, $d, $d.age > 5) > 1
                                       ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.age > 5).@sum > 1"#,
      #"""
      SUBQUERY is followed by .@count and a comparison: SUBQUERY(…).@count > 0.
        SUBQUERY(dogs, $d, $d.age > 5).@sum > 1
                                      ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.age > 5"#,
      #"""
      Expected ')' behind the condition of SUBQUERY, found the end of the predicate.
        SUBQUERY(dogs, $d, $d.age > 5
                                     ^
      """#
    ),
    (
      #"SUBQUERY(dogs, d, $d.age > 5).@count > 0"#,
      #"""
      Expected a variable such as $x, found 'd'.
        SUBQUERY(dogs, d, $d.age > 5).@count > 0
                       ^
      """#
    ),
    (
      #"SUBQUERY(dogs.@count, $d, $d.age > 5).@count > 0"#,
      #"""
      SUBQUERY begins with a collection: SUBQUERY(dogs, $x, …).
        SUBQUERY(dogs.@count, $d, $d.age > 5).@count > 0
                 ^
      """#
    ),
    (
      #"SUBQUERY dogs"#,
      #"""
      Expected '(' behind SUBQUERY, found 'dogs'.
        SUBQUERY dogs
                 ^
      """#
    ),
    (
      #"SUBQUERY(dogs, $d, $d.age > 5)).@count > 0"#,
      #"""
      SUBQUERY is followed by .@count and a comparison: SUBQUERY(…).@count > 0.
        SUBQUERY(dogs, $d, $d.age > 5)).@count > 0
                                      ^
      """#
    ),
    (
      #"name == 'x' SORT(name ASC)"#,
      #"""
      SORT is not part of a predicate; results have methods to sort and limit them.
        name == 'x' SORT(name ASC)
                    ^
      """#
    ),
    (
      #"name == 'x' LIMIT(5)"#,
      #"""
      LIMIT is not part of a predicate; results have methods to sort and limit them.
        name == 'x' LIMIT(5)
                    ^
      """#
    ),
    (
      #"#`x"#,
      #"""
      '#' does not belong in a predicate.
        #`x
        ^
      """#
    ),
    (
      #"name CONTAINS ANY tags"#,
      #"""
      Here ANY, ALL and NONE belong on the left.
        name CONTAINS ANY tags
                      ^
      """#
    ),
    (
      #"{'a'} IN tags"#,
      #"""
      A list IN a collection is not supported; write ANY tags IN the list.
        {'a'} IN tags
        ^
      """#
    ),
    (
      #"'x' IN dogs.@count"#,
      #"""
      IN needs a collection on its right; this is a number.
        'x' IN dogs.@count
               ^
      """#
    ),
    (
      #"ANY tags IN dogs.name"#,
      #"""
      Comparing two collection columns is not permitted.
        ANY tags IN dogs.name
        ^
      """#
    ),
    (
      #"any[%] == 1"#,
      #"""
      Expected %@, %K, %d, %i, %f, %ld, %lld or %lf for an argument.
        any[%] == 1
            ^
      """#
    ),
    (
      #"any[-1] == 1"#,
      #"""
      A subscript is a text, a whole number from 0 on, or *.
        any[-1] == 1
            ^
      """#
    ),
    (
      #"any[1.5] == 1"#,
      #"""
      A subscript is a text, a whole number from 0 on, or *.
        any[1.5] == 1
            ^
      """#
    ),
    (
      #"any[ == 1"#,
      #"""
      A subscript is a text, a whole number from 0 on, or *.
        any[ == 1
             ^
      """#
    ),
    (
      #"age BETWEEN dogs"#,
      #"""
      BETWEEN takes two values in braces, as in {1, 10}.
        age BETWEEN dogs
                    ^
      """#
    ),
    (
      #"scores IN 5"#,
      #"""
      IN takes values in braces, as in {1, 2, 3}, or a shape.
        scores IN 5
                  ^
      """#
    ),
    (
      #"ANY dogs.age > ANY dogs.weight"#,
      #"""
      Only one side of a condition may have ANY, ALL or NONE; comparing two collections is not permitted.
        ANY dogs.age > ANY dogs.weight
                       ^
      """#
    ),
    (
      #"pets.@keys == 'x'"#,
      #"""
      '@keys' is not a collection operator. There are @count @min @max @sum @avg @allKeys @allValues.
        pets.@keys == 'x'
             ^
      """#
    ),
    (
      #"name DISTINCT(name)"#,
      #"""
      DISTINCT is not part of a predicate; results have methods to sort and limit them.
        name DISTINCT(name)
             ^
      """#
    ),
    (
      #"name == @count"#,
      #"""
      A collection operator belongs behind a collection, as in dogs.@count.
        name == @count
                ^
      """#
    ),
    (
      #"dogs.@ > 1"#,
      #"""
      Expected the name of a collection operator behind '@', found '>'.
        dogs.@ > 1
               ^
      """#
    ),
    (
      #"dogs.@5 > 1"#,
      #"""
      Expected the name of a collection operator behind '@', found '5'.
        dogs.@5 > 1
              ^
      """#
    ),
    (
      #"dogs. > 1"#,
      #"""
      Expected the name of a property, found '>'.
        dogs. > 1
              ^
      """#
    ),
  ]
}
