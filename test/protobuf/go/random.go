package main

import (
	"fmt"
	"math/rand"
	"reflect"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

var raws = []string{`null`, `true`, `0`, `-1.5`, `"text é"`, `[]`, `{}`, `[1,"a",null]`, `{"a":{"b":[true]}}`}

func raw(c randfill.Continue) []byte { return []byte(raws[c.Intn(len(raws))]) }

// A schema may contain schemas, which are few.
func randomSchema(c randfill.Continue, depth int) apiextensionsv1.JSONSchemaProps {
	var one apiextensionsv1.JSONSchemaProps
	value := reflect.ValueOf(&one).Elem()
	for i := 0; i < value.NumField(); i++ {
		switch member := value.Field(i).Addr().Interface().(type) {
		case *map[string]apiextensionsv1.JSONSchemaProps, *apiextensionsv1.JSONSchemaDefinitions, *[]apiextensionsv1.JSONSchemaProps, **apiextensionsv1.JSONSchemaProps,
			**apiextensionsv1.JSONSchemaPropsOrArray, **apiextensionsv1.JSONSchemaPropsOrBool, *apiextensionsv1.JSONSchemaDependencies:
		default:
			c.Fill(member)
		}
	}
	if depth == 0 {
		return one
	}
	inner := func() *apiextensionsv1.JSONSchemaProps {
		made := randomSchema(c, depth-1)
		return &made
	}
	switch c.Intn(8) {
	case 0:
		one.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: inner()}
	case 1:
		one.Items = &apiextensionsv1.JSONSchemaPropsOrArray{JSONSchemas: []apiextensionsv1.JSONSchemaProps{*inner(), *inner()}}
	case 2:
		one.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: c.Bool()}
	case 3:
		one.AdditionalItems = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: inner()}
	case 4:
		one.Properties = map[string]apiextensionsv1.JSONSchemaProps{"a": *inner(), "": *inner()}
	case 5:
		one.Dependencies = apiextensionsv1.JSONSchemaDependencies{"a": {Schema: inner()}, "b": {Property: []string{"x", "y"}}}
	case 6:
		one.Not, one.AllOf = inner(), []apiextensionsv1.JSONSchemaProps{*inner()}
	case 7:
		one.Definitions = apiextensionsv1.JSONSchemaDefinitions{"a": *inner()}
	}
	return one
}

func randomObjects(seed int64, number int) []runtime.Object {
	source := rand.New(rand.NewSource(seed))
	filler := randfill.NewWithSeed(seed).NilChance(0.4).NumElements(0, 2).MaxDepth(20).Funcs(
		func(t *metav1.Time, c randfill.Continue) { t.Time = time.Unix(c.Int63n(253402300799), 0).UTC() },
		func(t *metav1.MicroTime, c randfill.Continue) {
			t.Time = time.Unix(c.Int63n(253402300799), c.Int63n(1e6)*1000).UTC()
		},
		func(q *resource.Quantity, c randfill.Continue) {
			*q = resource.MustParse(fmt.Sprintf("%dMi", c.Intn(1000)))
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			if c.Bool() {
				*v = intstr.FromInt32(c.Int31())
			} else {
				*v = intstr.FromString(fmt.Sprintf("port-%d", c.Intn(10)))
			}
		},
		func(v *metav1.FieldsV1, c randfill.Continue) {
			v.SetRawBytes([]byte(`{"f:metadata":{"f:labels":{".":{}}}}`))
		},
		func(v *runtime.RawExtension, c randfill.Continue) { v.Raw = raw(c) },
		func(v *apiextensionsv1.JSON, c randfill.Continue) { v.Raw = raw(c) },
		func(v *apiextensionsv1.JSONSchemaProps, c randfill.Continue) { *v = randomSchema(c, 3) },
		func(v *int64, c randfill.Continue) { *v = int64(c.Uint64()) >> c.Intn(64) },
		func(v *string, c randfill.Continue) {
			if c.Intn(4) > 0 {
				*v = fmt.Sprintf("text-%d-é", c.Intn(1000))
			}
		},
		func(v *[]byte, c randfill.Continue) { *v = []byte(fmt.Sprint(c.Int63()))[:c.Intn(5)] },
		func(v *metav1.TypeMeta, c randfill.Continue) {},
	)
	made := make([]runtime.Object, number)
	for i := range made {
		group := kinds[source.Intn(len(kinds))]
		of := reflect.TypeOf(group.objects[source.Intn(len(group.objects))]).Elem()
		object := reflect.New(of).Interface().(runtime.Object)
		filler.Fill(object)
		object.GetObjectKind().SetGroupVersionKind(group.version.WithKind(of.Name()))
		made[i] = object
	}
	return made
}
