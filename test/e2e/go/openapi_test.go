package clients

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	openapi_v3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	openapi "k8s.io/kube-openapi/pkg/util/proto"
	"sigs.k8s.io/yaml"
)

// Argo CD reads the types of all kinds from this document.
func TestOpenAPIv2InProtobufEqualsTheJSONAndHasTheTypes(t *testing.T) {
	client := clientsetOf(t).Discovery()
	document, err := client.OpenAPISchema()
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := document.YAMLValue("")
	if err != nil {
		t.Fatal(err)
	}
	body, err := client.RESTClient().Get().AbsPath("/openapi/v2").SetHeader("Accept", "application/json").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := yaml.Unmarshal(asYAML, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &want); err != nil {
		t.Fatal(err)
	}
	if where := difference(withoutEmpty(got), withoutEmpty(want)); where != "" {
		t.Fatal("the documents differ: " + where)
	}
	models, err := openapi.NewOpenAPIData(document)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := managedfields.NewGVKParser(models, false)
	if err != nil {
		t.Fatal(err)
	}
	if parser.Type(schema.GroupVersionKind{Group: "folder.svc.app", Version: "v1beta1", Kind: "Folder"}) == nil {
		t.Fatal("there is no type of Folder")
	}
}

// difference returns where two values differ first, with both, or nothing.
func difference(got, want any) string {
	if one, ok := got.(map[string]any); ok {
		if other, ok := want.(map[string]any); ok && len(one) == len(other) {
			for key := range one {
				if where := difference(one[key], other[key]); where != "" {
					return key + "." + where
				}
			}
			return ""
		}
	}
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf(": got %v, want %v", got, want)
}

// Kubernetes makes its own message in this way.
func TestOpenAPIv3InProtobufIsWhatGnosticMakesOfTheJSON(t *testing.T) {
	client := clientsetOf(t).Discovery()
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		t.Fatal(err)
	}
	for path, document := range paths {
		asJSON, err := document.Schema("application/json")
		if err != nil {
			t.Fatal(err)
		}
		asProtobuf, err := document.Schema("application/com.github.proto-openapi.spec.v3@v1.0+protobuf")
		if err != nil {
			t.Fatal(err)
		}
		want, err := openapi_v3.ParseDocument(asJSON)
		if err != nil {
			t.Fatal(path, err)
		}
		got := new(openapi_v3.Document)
		if err := proto.Unmarshal(asProtobuf, got); err != nil {
			t.Fatal(path, err)
		}
		if !reflect.DeepEqual(valueOf(t, got), valueOf(t, want)) {
			t.Errorf("the documents of %s differ", path)
		}
	}
}

// valueOf is the content of a document without the spelling of its YAML.
func valueOf(t *testing.T, document *openapi_v3.Document) (value any) {
	asYAML, err := document.YAMLValue("")
	if err == nil {
		err = yaml.Unmarshal(asYAML, &value)
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// withoutEmpty leaves out empty lists and a minimum of 0, which this protobuf cannot distinguish from absent ones.
func withoutEmpty(value any) any {
	switch typed := value.(type) {
	case map[string]any:
		for name, member := range typed {
			list, isList := member.([]any)
			if (isList && len(list) == 0) || (name == "minimum" && member == 0.0) {
				delete(typed, name)
				continue
			}
			typed[name] = withoutEmpty(member)
		}
	case []any:
		for i := range typed {
			typed[i] = withoutEmpty(typed[i])
		}
	}
	return value
}
