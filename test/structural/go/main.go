// The reference of the values of custom resources: Kubernetes' own structural schemas. It reads one case on each line, and answers each with one line.
package main

import (
	"bufio"
	"context"
	stdjson "encoding/json"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
)

type testCase struct {
	Schema stdjson.RawMessage `json:"schema"`
	Object stdjson.RawMessage `json:"object"`
	Old    stdjson.RawMessage `json:"old"`
}

type cause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

type coerced struct {
	Object  interface{} `json:"object,omitempty"`
	Unknown []string    `json:"unknown"`
	Causes  []cause     `json:"causes"`
}

type answer struct {
	Pruned    interface{} `json:"pruned"`
	Unknown   []string    `json:"unknown"`
	Defaulted interface{} `json:"defaulted"`
	Causes    []cause     `json:"causes"`
	Update    []cause     `json:"update"`
	Lists     []cause     `json:"lists"`
	Meta      []cause     `json:"meta"`
	Strict    coerced     `json:"strict"`
	Dropping  coerced     `json:"dropping"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var c testCase
		must(stdjson.Unmarshal(line, &c))
		text, err := stdjson.Marshal(run(c))
		must(err)
		out.Write(append(text, '\n'))
		must(out.Flush())
	}
}

func run(c testCase) answer {
	var external v1.JSONSchemaProps
	must(json.Unmarshal(c.Schema, &external))
	var internal apiextensions.JSONSchemaProps
	must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	must(err)
	validator, _, err := validation.NewSchemaValidator(&internal)
	must(err)

	var a answer
	sent := parsed(c.Object)
	pruned := copied(sent)
	a.Unknown = pruning.PruneWithOptions(pruned, structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	a.Pruned = copied(pruned)
	defaulted := copied(pruned)
	defaulting.PruneNonNullableNullsWithoutDefaults(defaulted, structural)
	defaulting.Default(defaulted, structural)
	a.Defaulted = defaulted
	a.Causes = causes(validation.ValidateCustomResource(nil, sent, validator))
	old := parsed(c.Old)
	correlated := common.NewCorrelatedObject(sent, old, &model.Structural{Structural: structural})
	a.Update = causes(validation.ValidateCustomResourceUpdate(nil, sent, old, validator, validation.WithRatcheting(correlated)))
	a.Lists = causes(listtype.ValidateListSetsAndMaps(nil, structural, sent))
	a.Meta = causes(objectmeta.Validate(context.Background(), nil, sent, structural, false))
	a.Strict = coerce(copied(sent), structural, false)
	a.Dropping = coerce(copied(sent), structural, true)
	return a
}

func coerce(object map[string]interface{}, structural *schema.Structural, drop bool) coerced {
	err, unknown := objectmeta.CoerceWithOptions(nil, object, structural, false, objectmeta.CoerceOptions{DropInvalidFields: drop, ReturnUnknownFieldPaths: true})
	if err != nil {
		return coerced{Causes: causes(field.ErrorList{err})}
	}
	return coerced{Object: object, Unknown: unknown}
}

func causes(errs field.ErrorList) []cause {
	var all []cause
	for _, err := range errs {
		all = append(all, cause{string(err.Type), err.ErrorBody(), err.Field})
	}
	return all
}

func parsed(text []byte) map[string]interface{} {
	if len(text) == 0 {
		return nil
	}
	var object map[string]interface{}
	must(json.Unmarshal(text, &object))
	return object
}

func copied(object map[string]interface{}) map[string]interface{} {
	return runtime.DeepCopyJSON(object)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
