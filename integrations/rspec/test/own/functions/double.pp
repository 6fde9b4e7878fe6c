function own::double(Integer $x) >> Integer { $x * 2 }
