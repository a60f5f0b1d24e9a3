// The reference for definitions of custom resources: Kubernetes' own validation, conversion, defaults and printer columns. It reads one question on
// each line, and answers it on one line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type question struct {
	Definition json.RawMessage `json:"definition,omitempty"`
	Old        json.RawMessage `json:"old,omitempty"`
	Status     bool            `json:"status,omitempty"`

	Columns []v1.CustomResourceColumnDefinition `json:"columns,omitempty"`
	Object  map[string]interface{}              `json:"object,omitempty"`
}

type answer struct {
	// Why the definition could not be decoded.
	Undecoded string `json:"undecoded,omitempty"`
	// The validation failed itself, which Kubernetes answers with 500.
	Panicked bool                 `json:"panicked,omitempty"`
	Causes   []metav1.StatusCause `json:"causes,omitempty"`
	// The definition with its defaults.
	Spec json.RawMessage `json:"spec,omitempty"`
	// Why the columns could not be compiled.
	Refused string        `json:"refused,omitempty"`
	Cells   []interface{} `json:"cells,omitempty"`
}

var scheme = runtime.NewScheme()

func main() {
	install.Install(scheme)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		must(json.Unmarshal(line, &q))
		text, err := json.Marshal(answered(q))
		must(err)
		out.Write(append(text, '\n'))
		must(out.Flush())
	}
}

func answered(q question) (result answer) {
	defer func() {
		if recover() != nil {
			result = answer{Panicked: true}
		}
	}()
	if q.Columns != nil {
		return cells(q)
	}
	object, spec, err := read(q.Definition)
	if err != nil {
		return answer{Undecoded: err.Error()}
	}
	errs, err := validated(q, object)
	if err != nil {
		return answer{Undecoded: err.Error()}
	}
	return answer{Causes: causes(errs), Spec: spec}
}

// validated prepares the object as the strategy of definitions does. That package needs the whole storage of a server, so it is not used.
func validated(q question, object *apiextensions.CustomResourceDefinition) (field.ErrorList, error) {
	ctx := context.Background()
	if q.Old == nil {
		object.Status = apiextensions.CustomResourceDefinitionStatus{}
		store(object)
		return validation.ValidateCustomResourceDefinition(ctx, object), nil
	}
	old, _, err := read(q.Old)
	if err != nil {
		return nil, err
	}
	if q.Status {
		object.Spec = old.Spec
		return validation.ValidateUpdateCustomResourceDefinitionStatus(ctx, object, old), nil
	}
	object.Status = old.Status
	store(object)
	return validation.ValidateCustomResourceDefinitionUpdate(ctx, object, old), nil
}

func store(object *apiextensions.CustomResourceDefinition) {
	for _, version := range object.Spec.Versions {
		if version.Storage {
			if !apiextensions.IsStoredVersion(object, version.Name) {
				object.Status.StoredVersions = append(object.Status.StoredVersions, version.Name)
			}
			return
		}
	}
}

// read gives the internal object, and the spec of v1 with its defaults.
func read(text json.RawMessage) (*apiextensions.CustomResourceDefinition, json.RawMessage, error) {
	var decoded v1.CustomResourceDefinition
	if err := json.Unmarshal(text, &decoded); err != nil {
		return nil, nil, err
	}
	scheme.Default(&decoded)
	spec, err := json.Marshal(decoded.Spec)
	if err != nil {
		return nil, nil, err
	}
	var internal apiextensions.CustomResourceDefinition
	if err := scheme.Convert(&decoded, &internal, nil); err != nil {
		return nil, nil, err
	}
	return &internal, spec, nil
}

// causes leaves out what Kubernetes says about metadata of any kind.
func causes(errs field.ErrorList) []metav1.StatusCause {
	list := []metav1.StatusCause{}
	for _, err := range errs {
		own := strings.Contains(err.Detail, "spec.names.plural") || strings.HasPrefix(err.Field, "metadata.annotations[api-approved")
		if strings.HasPrefix(err.Field, "metadata.") && !own {
			continue
		}
		list = append(list, metav1.StatusCause{Type: metav1.CauseType(err.Type), Message: err.ErrorBody(), Field: err.Field})
	}
	return list
}

func cells(q question) answer {
	convertor, err := tableconvertor.New(q.Columns)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	// As a server does, whose numbers are int64 or float64.
	text, err := json.Marshal(q.Object)
	must(err)
	var object unstructured.Unstructured
	must(object.UnmarshalJSON(text))
	table, err := convertor.ConvertToTable(context.Background(), &object, nil)
	must(err)
	return answer{Cells: table.Rows[0].Cells}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
