package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	"github.com/hashicorp/nomad/api"
)

// structure is one structure of package api that a job is made of.
type structure struct {
	Name   string  `json:"name"`
	Fields []field `json:"fields"`
	// CustomMarshal and CustomUnmarshal say that the structure writes or reads its JSON itself.
	CustomMarshal   bool `json:"custom_marshal,omitempty"`
	CustomUnmarshal bool `json:"custom_unmarshal,omitempty"`
}

// field is one field of a structure, with what its tags say.
type field struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Struct      string   `json:"struct,omitempty"`
	Embedded    bool     `json:"embedded,omitempty"`
	JSON        string   `json:"json"`
	JSONOptions []string `json:"json_options,omitempty"`
	HCL         *string  `json:"hcl"`
	HCLOptions  []string `json:"hcl_options,omitempty"`
	Mapstruct   string   `json:"mapstructure,omitempty"`
}

func runSchema([]string) error {
	walk := schemaWalk{seen: map[reflect.Type]bool{}}
	walk.visit(reflect.TypeOf(api.Job{}))
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	return out.Encode(walk.structures)
}

type schemaWalk struct {
	seen       map[reflect.Type]bool
	structures []structure
}

var (
	marshaler   = reflect.TypeOf((*json.Marshaler)(nil)).Elem()
	unmarshaler = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()
)

// visit lists a structure, then those below it in the order of its fields.
func (w *schemaWalk) visit(typ reflect.Type) {
	if w.seen[typ] {
		return
	}
	w.seen[typ] = true
	at := len(w.structures)
	w.structures = append(w.structures, structure{})
	listed := structure{
		Fields:          []field{},
		Name:            typ.Name(),
		CustomMarshal:   reflect.PointerTo(typ).Implements(marshaler),
		CustomUnmarshal: reflect.PointerTo(typ).Implements(unmarshaler),
	}
	for i := range typ.NumField() {
		member := typ.Field(i)
		if !member.IsExported() {
			continue
		}
		described := describe(member)
		if below := structureBelow(member.Type); below != nil {
			described.Struct = below.Name()
			w.visit(below)
		}
		listed.Fields = append(listed.Fields, described)
	}
	w.structures[at] = listed
}

func describe(member reflect.StructField) field {
	described := field{
		Name:      member.Name,
		Type:      member.Type.String(),
		Embedded:  member.Anonymous,
		JSON:      member.Name,
		Mapstruct: member.Tag.Get("mapstructure"),
	}
	if tag, ok := member.Tag.Lookup("json"); ok {
		name, options := splitTag(tag)
		if name != "" {
			described.JSON = name
		}
		described.JSONOptions = options
	}
	if tag, ok := member.Tag.Lookup("hcl"); ok {
		name, options := splitTag(tag)
		described.HCL, described.HCLOptions = &name, options
	}
	return described
}

func splitTag(tag string) (string, []string) {
	parts := strings.Split(tag, ",")
	return parts[0], parts[1:]
}

// structureBelow finds the structure of package api behind pointers, lists and maps.
func structureBelow(typ reflect.Type) reflect.Type {
	for {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
			typ = typ.Elem()
		case reflect.Struct:
			if strings.HasSuffix(typ.PkgPath(), "nomad/api") {
				return typ
			}
			return nil
		default:
			return nil
		}
	}
}
