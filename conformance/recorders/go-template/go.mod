module recorder

go 1.25

