function f::fails($options, $context) { fail("no data for ${facts['role']}") }
