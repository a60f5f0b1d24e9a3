// The reference of the differential test: Kubernetes' own field management. It reads one sequence of writes on each line, and answers each with
// the results on one line.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

var kind = schema.GroupVersionKind{Group: "test.example", Version: "v1", Kind: "Thing"}

type write struct {
	Verb        string                 `json:"verb"`
	Manager     string                 `json:"manager"`
	Subresource string                 `json:"subresource"`
	Force       bool                   `json:"force"`
	Time        string                 `json:"time"`
	Object      map[string]interface{} `json:"object"`
}

// A sequence has a schema of structured-merge-diff, or the OpenAPI 3.0 schemas of the server by name.
type sequence struct {
	Schema  json.RawMessage         `json:"schema"`
	OpenAPI map[string]*spec.Schema `json:"openapi"`
	Writes  []write                 `json:"writes"`
}

type result struct {
	Error   string                 `json:"error,omitempty"`
	Causes  []metav1.StatusCause   `json:"causes,omitempty"`
	Object  map[string]interface{} `json:"object,omitempty"`
	Managed json.RawMessage        `json:"managed,omitempty"`
}

type converter struct{ parser typed.ParseableType }

func (c converter) ObjectToTyped(object runtime.Object, options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return c.parser.FromUnstructured(object.(*unstructured.Unstructured).Object, options...)
}

func (c converter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return &unstructured.Unstructured{Object: value.AsValue().Unstructured().(map[string]interface{})}, nil
}

type unchanged struct{}

func (unchanged) Convert(in, out, context interface{}) error { return nil }
func (unchanged) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}
func (unchanged) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}
func (unchanged) Default(runtime.Object)                               {}
func (unchanged) New(schema.GroupVersionKind) (runtime.Object, error) { return empty(), nil }

func empty() *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]interface{}{}}
	object.SetGroupVersionKind(kind)
	return object
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var s sequence
		must(json.Unmarshal(line, &s))
		answer, err := json.Marshal(run(s))
		must(err)
		out.Write(append(answer, '\n'))
		must(out.Flush())
	}
}

func run(s sequence) []result {
	types := typesOf(s)
	live := empty()
	var results []result
	for _, w := range s.Writes {
		manager, err := managedfields.NewDefaultFieldManager(types, unchanged{}, unchanged{}, unchanged{}, kind, kind.GroupVersion(), w.Subresource, nil)
		must(err)
		next, err := apply(manager, live.DeepCopy(), w)
		if err != nil {
			results = append(results, refused(err))
			continue
		}
		live = next
		fixTimes(live, w.Time)
		results = append(results, resultOf(live))
		if live.GetUID() == "" {
			live.SetUID("made")
		}
	}
	return results
}

func typesOf(s sequence) managedfields.TypeConverter {
	if s.OpenAPI != nil {
		types, err := managedfields.NewTypeConverter(s.OpenAPI, false)
		must(err)
		return types
	}
	parser, err := typed.NewParser(typed.YAMLObject(s.Schema))
	must(err)
	return converter{parser.Type("object")}
}

func apply(manager *managedfields.FieldManager, live *unstructured.Unstructured, w write) (*unstructured.Unstructured, error) {
	object := (&unstructured.Unstructured{Object: w.Object}).DeepCopy()
	if w.Verb == "apply" {
		next, err := manager.Apply(live, object, w.Manager, w.Force)
		if err != nil {
			return nil, err
		}
		return next.(*unstructured.Unstructured), nil
	}
	object.SetUID(live.GetUID())
	next, err := manager.Update(live, object, w.Manager)
	if err != nil {
		return nil, err
	}
	return next.(*unstructured.Unstructured), nil
}

// The clock of the test is that of the sequence.
func fixTimes(object *unstructured.Unstructured, now string) {
	at, err := time.Parse(time.RFC3339, now)
	must(err)
	entries := object.GetManagedFields()
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.Year() > 2010 {
			entries[i].Time = &metav1.Time{Time: at}
		}
	}
	if entries != nil {
		object.SetManagedFields(entries)
	}
}

func refused(err error) result {
	if status, ok := err.(*errors.StatusError); ok && errors.IsConflict(err) {
		return result{Error: status.ErrStatus.Message, Causes: status.ErrStatus.Details.Causes}
	}
	return result{Error: "refused: " + err.Error()}
}

func resultOf(live *unstructured.Unstructured) result {
	managed, err := json.Marshal(live.GetManagedFields())
	must(err)
	object := live.DeepCopy()
	unstructured.RemoveNestedField(object.Object, "metadata", "managedFields")
	unstructured.RemoveNestedField(object.Object, "metadata", "uid")
	return result{Object: object.Object, Managed: managed}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
