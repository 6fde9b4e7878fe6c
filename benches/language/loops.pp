$r = Integer[1, 200000].reduce(0) |$memo, $x| {
  if $x % 3 == 0 { $memo + $x } else { $memo - 1 }
}
$m = Integer[1, 100000].map |$x| { $x * 2 }.filter |$x| { $x % 3 == 0 }
notice($r, $m.length)
