$s = Integer[1, 100000].map |$x| { "host-${x}.${$x % 10}.example.com: [${$x * 2}]" }
$t = $s.map |$x| { $x.upcase.split('[.]')[0] }
$u = $t.map |$x| { regsubst($x, '(\d+)', '<\1>', 'G') }
notice($u.length, $u[99999])
