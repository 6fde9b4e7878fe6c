type Port = Integer[1, 65535]
$c = Integer[1, 100000].filter |$x| { $x =~ Port and "a${x}" =~ Pattern[/^a\d+$/] and [$x, 'b'] =~ Tuple[Integer, Enum['a','b']] and {'a' => $x} =~ Struct[{a => Integer, Optional[b] => String}] }
notice($c.length)
