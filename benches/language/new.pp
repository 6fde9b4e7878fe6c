$c = Integer[1, 30000].map |$x| { [Integer("${x}"), String($x, '%#x'), Float("${x}.5"), Array({'a' => $x}), Boolean('true'), String([$x, 'a', {b => $x}])] }
notice($c.length)
