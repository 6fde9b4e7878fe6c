module example.org/hieratic

go 1.21
