package main

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A field and a message in the JSON form of protobufjs. Options say what only JSON needs: the name, if it is another, and whether zero is written.
type field struct {
	Rule    string         `json:"rule,omitempty"`
	KeyType string         `json:"keyType,omitempty"`
	Type    string         `json:"type"`
	ID      int            `json:"id"`
	Options map[string]any `json:"options,omitempty"`
}

type message struct {
	Fields map[string]field `json:"fields"`
}

type descriptors struct {
	// The message of each kind, by apiVersion and kind.
	Kinds  map[string]string  `json:"kinds"`
	Nested map[string]message `json:"nested"`
}

var (
	timestamp = message{Fields: map[string]field{"seconds": {Type: "int64", ID: 1}, "nanos": {Type: "int32", ID: 2}}}
	// Types whose encoding Kubernetes writes by hand.
	special = map[reflect.Type]message{
		reflect.TypeOf(metav1.Time{}):       timestamp,
		reflect.TypeOf(metav1.MicroTime{}):  timestamp,
		reflect.TypeOf(resource.Quantity{}): {Fields: map[string]field{"string": {Type: "string", ID: 1}}},
	}
)

func describe() descriptors {
	all := descriptors{Kinds: map[string]string{}, Nested: map[string]message{}}
	for _, group := range kinds {
		for _, object := range group.objects {
			kind := reflect.TypeOf(object).Elem()
			all.Kinds[group.version.String()+" "+kind.Name()] = all.add(kind)
		}
	}
	all.add(reflect.TypeOf(metav1.WatchEvent{}))
	all.add(reflect.TypeOf(runtime.Unknown{}))
	return all
}

// add adds the message of a type and all that it contains, and returns its name: `core.v1.Event` is CoreV1Event.
func (all descriptors) add(of reflect.Type) string {
	name := nameOf(of)
	if _, known := all.Nested[name]; known {
		return name
	}
	if fixed, ok := special[of]; ok {
		all.Nested[name] = fixed
		return name
	}
	if of.Kind() == reflect.Slice {
		all.Nested[name] = message{Fields: map[string]field{"items": {Rule: "repeated", Type: "string", ID: 1}}}
		return name
	}
	one := message{Fields: map[string]field{}}
	all.Nested[name] = one
	for i := 0; i < of.NumField(); i++ {
		member := of.Field(i)
		tag, ok := member.Tag.Lookup("protobuf")
		if !ok {
			continue
		}
		name, described := all.field(member, strings.Split(tag, ","))
		one.Fields[name] = described
	}
	return name
}

func nameOf(of reflect.Type) string {
	parts := strings.Split(of.PkgPath(), "/")
	if parts[len(parts)-1] == "runtime" || parts[len(parts)-1] == "resource" || parts[len(parts)-1] == "intstr" {
		return of.Name()
	}
	group := parts[len(parts)-2]
	return strings.ToUpper(group[:1]) + group[1:] + strings.ToUpper(parts[len(parts)-1][:1]) + parts[len(parts)-1][1:] + of.Name()
}

// The tag is `varint,3,opt,name=served`. Some have only a type and a number.
func (all descriptors) field(member reflect.StructField, tag []string) (string, field) {
	id, err := strconv.Atoi(tag[1])
	if err != nil {
		panic(err)
	}
	name, jsonName, omits := "", "", true
	if text, ok := member.Tag.Lookup("json"); ok && text != "-" {
		parts := strings.Split(text, ",")
		jsonName, omits = parts[0], len(parts) > 1
	}
	if len(tag) > 3 {
		name = strings.TrimPrefix(tag[3], "name=")
	} else {
		name = jsonName
	}
	if name == "" {
		panic(fmt.Sprintf("%s has no name", member.Name))
	}
	described := field{ID: id, Options: map[string]any{}}
	if jsonName != "" && jsonName != name {
		described.Options["json"] = jsonName
	}
	of := member.Type
	switch {
	case of.Kind() == reflect.Map:
		described.KeyType, described.Type = "string", all.typeOf(of.Elem())
		return name, described
	case of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8:
		described.Rule, described.Type = "repeated", all.typeOf(of.Elem())
		return name, described
	case of.Kind() == reflect.Pointer:
		of, omits = of.Elem(), false
	}
	described.Type = all.typeOf(of)
	if !omits && described.Type != "bytes" && of.Kind() != reflect.Struct {
		described.Options["kept"] = true
	}
	return name, described
}

func (all descriptors) typeOf(of reflect.Type) string {
	switch of.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64:
		return of.Kind().String()
	case reflect.Float64:
		return "double"
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return all.add(of)
	case reflect.Struct:
		return all.add(of)
	}
	panic(fmt.Sprintf("%v has no type in protobuf", of))
}
