package main

import (
	"bytes"
	"encoding/json"
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// encode writes a value as JSON: numbers with all their digits and without an
// exponent, sets in their own order. The flag says that an infinite number is
// somewhere in it, in whose place null is written.
func encode(value cty.Value) (json.RawMessage, bool) {
	var out bytes.Buffer
	writer := encoder{out: &out}
	writer.value(value)
	return out.Bytes(), writer.infinite
}

type encoder struct {
	out      *bytes.Buffer
	infinite bool
}

func (e *encoder) value(value cty.Value) {
	value, _ = value.Unmark()
	typ := value.Type()
	switch {
	case !value.IsKnown():
		// An object no other value can be taken for: its key is no identifier.
		e.out.WriteString(`{"?":"unknown"}`)
	case value.IsNull():
		e.out.WriteString("null")
	case typ == cty.String:
		e.out.Write(mustMarshal(value.AsString()))
	case typ == cty.Bool:
		e.out.Write(mustMarshal(value.True()))
	case typ == cty.Number:
		e.number(value.AsBigFloat())
	case typ.IsListType(), typ.IsSetType(), typ.IsTupleType():
		e.sequence('[', ']', value, false)
	case typ.IsMapType(), typ.IsObjectType():
		e.sequence('{', '}', value, true)
	default:
		// Capsules: the only ones that are reachable hold a type.
		e.out.Write(mustMarshal(typ.FriendlyName()))
	}
}

func (e *encoder) number(number *big.Float) {
	if number.IsInf() {
		e.infinite = true
		e.out.WriteString("null")
		return
	}
	e.out.WriteString(number.Text('f', -1))
}

func (e *encoder) sequence(open, close byte, value cty.Value, keys bool) {
	e.out.WriteByte(open)
	first := true
	for it := value.ElementIterator(); it.Next(); {
		key, element := it.Element()
		if !first {
			e.out.WriteByte(',')
		}
		first = false
		if keys {
			e.out.Write(mustMarshal(key.AsString()))
			e.out.WriteByte(':')
		}
		e.value(element)
	}
	e.out.WriteByte(close)
}

// mustMarshal is for values that always have a JSON form.
func mustMarshal(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
