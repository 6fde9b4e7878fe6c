function m::double(Integer $x, Optional[String] $y = undef) >> Integer { $x * 2 }
