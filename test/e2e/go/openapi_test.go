package clients

import (
	"encoding/json"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/util/proto"
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
	if !reflect.DeepEqual(withoutEmpty(got), withoutEmpty(want)) {
		t.Fatal("the documents differ")
	}
	models, err := proto.NewOpenAPIData(document)
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

// withoutEmpty leaves out empty lists and a minimum of 0, which this protobuf cannot tell from none.
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
