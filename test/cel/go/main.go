// The reference of the comparisons of CEL rules: the rules of custom resources as Kubernetes compiles and runs them. It reads one case on each line,
// and answers each with what Kubernetes says about the definition and about the object.
package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

type question struct {
	Schema v1.JSONSchemaProps `json:"schema"`
	Object interface{}        `json:"object"`
	Old    interface{}        `json:"old"`
	// Root says that the schema is that of a whole resource.
	Root bool `json:"root"`
	// Ratchet says that what did not change is not refused.
	Ratchet bool `json:"ratchet"`
}

type cause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

type answer struct {
	Definition []cause `json:"definition"`
	Causes     []cause `json:"causes"`
	// Cost is what the rules used, or -1 if they used too much.
	Cost  int64  `json:"cost"`
	Error string `json:"error,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		must(json.Unmarshal(bytes.TrimSpace(line), &q))
		text, err := json.Marshal(run(q))
		must(err)
		out.Write(append(text, '\n'))
		must(out.Flush())
	}
}

func run(q question) answer {
	var internal apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&q.Schema, &internal, nil); err != nil {
		return answer{Error: err.Error()}
	}
	definition := []cause{}
	if q.Root {
		definition = refusals(&internal)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return answer{Definition: definition, Error: err.Error()}
	}
	validator := cel.NewValidator(structural, q.Root, celconfig.PerCallLimit)
	if validator == nil {
		return answer{Definition: definition, Error: "no rules"}
	}
	var options []cel.Option
	if q.Ratchet && q.Old != nil {
		options = append(options, cel.WithRatcheting(common.NewCorrelatedObject(q.Object, q.Old, &model.Structural{Structural: structural})))
	}
	budget := int64(celconfig.RuntimeCELCostBudget)
	errs, left := validator.Validate(context.Background(), nil, structural, q.Object, q.Old, budget, options...)
	cost := budget - left
	if left < 0 {
		cost = -1
	}
	return answer{Definition: definition, Causes: causes(errs), Cost: cost}
}

// The errors of the definition that are about its rules.
func refusals(schema *apiextensions.JSONSchemaProps) []cause {
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com", Version: "v1", Scope: apiextensions.NamespaceScoped,
			Names:      apiextensions.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
			Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
			Validation: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: schema},
		},
		Status: apiextensions.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	found := []cause{}
	for _, one := range causes(validation.ValidateCustomResourceDefinition(context.Background(), crd)) {
		if strings.Contains(one.Field, "x-kubernetes-validations") || strings.Contains(one.Message, "x-kubernetes-validations") {
			found = append(found, one)
		}
	}
	return found
}

func causes(errs field.ErrorList) []cause {
	found := []cause{}
	for _, err := range errs {
		found = append(found, cause{Reason: string(err.Type), Message: err.ErrorBody(), Field: err.Field})
	}
	return found
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

