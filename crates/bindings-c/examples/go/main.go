// Looks up a key: go run . FOLDER NODE KEY, with CGO_CFLAGS and CGO_LDFLAGS that find the header and the library.
package main

/*
#cgo LDFLAGS: -lhieratic
#include <stdlib.h>
#include <hieratic.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// failure takes the message of an error, and frees it.
func failure(failed *C.hieratic_error) error {
	defer C.hieratic_error_free(failed)
	return errors.New(C.GoString(C.hieratic_error_message(failed)))
}

// lookup returns the value of a key as JSON.
func lookup(folder, name, key string) (string, error) {
	texts := []*C.char{C.CString(folder), C.CString(name), C.CString(key)}
	defer func() {
		for _, text := range texts {
			C.free(unsafe.Pointer(text))
		}
	}()
	var failed *C.hieratic_error
	environment := C.hieratic_environment_open(texts[0], nil, &failed)
	if environment == nil {
		return "", failure(failed)
	}
	defer C.hieratic_environment_free(environment)
	node := C.hieratic_node_open(environment, texts[1], nil, nil, &failed)
	if node == nil {
		return "", failure(failed)
	}
	defer C.hieratic_node_free(node)
	value := C.hieratic_lookup(node, texts[2], nil, &failed)
	if value == nil {
		return "", failure(failed)
	}
	defer C.hieratic_string_free(value)
	return C.GoString(value), nil
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: lookup FOLDER NODE KEY")
		os.Exit(2)
	}
	value, err := lookup(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(value)
}
