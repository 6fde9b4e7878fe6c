function vault::helper(String $text) >> String { $text.upcase }
