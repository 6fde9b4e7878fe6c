class m {
  $a = @(END)
      one
    two
    | END
  $b = @("END")
  one ${a}
    two
  | END
  file { '/a':
      content => @("A":json/$n/L),
      {"a": "${b}"}
      | A
  }
      $c = @(X)
  text
X
}
