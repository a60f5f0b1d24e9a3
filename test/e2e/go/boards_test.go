package clients

import (
	"context"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Board is a kind of the tests: it owns a ConfigMap and a folder.
type Board struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BoardSpec   `json:"spec"`
	Status            BoardStatus `json:"status,omitempty"`
}

type BoardSpec struct {
	Title    string `json:"title"`
	Team     string `json:"team,omitempty"`
	Replicas *int32 `json:"replicas,omitempty"`
}

type BoardStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Replicas           int32              `json:"replicas,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type BoardList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Board `json:"items"`
}

// deepCopy does what generated code does, by way of JSON.
func deepCopy[T any](from *T) *T {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(from)
	if err != nil {
		panic(err)
	}
	to := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, to); err != nil {
		panic(err)
	}
	return to
}

func (b *Board) DeepCopyObject() runtime.Object     { return deepCopy(b) }
func (b *BoardList) DeepCopyObject() runtime.Object { return deepCopy(b) }

var boardVersion = schema.GroupVersion{Group: "boards.example.com", Version: "v1"}

func boardScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	types := runtime.NewScheme()
	if err := scheme.AddToScheme(types); err != nil {
		t.Fatal(err)
	}
	if err := apiextensionsv1.AddToScheme(types); err != nil {
		t.Fatal(err)
	}
	types.AddKnownTypes(boardVersion, &Board{}, &BoardList{})
	metav1.AddToGroupVersion(types, boardVersion)
	return types
}

func textOf(description string) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{Type: "string", Description: description}
}

// boardSchema is what controller-gen makes of the types above.
func boardSchema() *apiextensionsv1.JSONSchemaProps {
	one, preserve := float64(1), true
	replicas := apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int32", Default: &apiextensionsv1.JSON{Raw: []byte("1")}, Minimum: &one}
	spec := apiextensionsv1.JSONSchemaProps{
		Type: "object", Description: "What the board shows.", Required: []string{"title"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"title": textOf("What people read."), "team": textOf("Whose it is."), "replicas": replicas},
		XValidations: apiextensionsv1.ValidationRules{
			{Rule: "self.replicas <= 5", Message: "at most five replicas"},
			{Rule: "!has(oldSelf.team) || has(self.team) && self.team == oldSelf.team", Message: "a board stays with its team"},
		},
	}
	condition := apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &preserve, Required: []string{"type"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"type": textOf("Its name.")}}
	mapType := "map"
	status := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"observedGeneration": {Type: "integer", Format: "int64"}, "replicas": {Type: "integer", Format: "int32"},
		"conditions": {Type: "array", XListType: &mapType, XListMapKeys: []string{"type"}, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &condition}},
	}}
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Description: "Board is a board of a team.", Required: []string{"spec"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec, "status": status}}
}

func boardDefinition() *apiextensionsv1.CustomResourceDefinition {
	return &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: "boards." + boardVersion.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: boardVersion.Group, Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "boards", Singular: "board", Kind: "Board", ListKind: "BoardList", ShortNames: []string{"bd"}, Categories: []string{"all"},
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: boardVersion.Version, Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: boardSchema()},
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
					Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"},
				},
				SelectableFields: []apiextensionsv1.SelectableField{{JSONPath: ".spec.team"}},
			}},
		},
	}
}

// installBoards installs the definition as the suites of kubebuilder do, and removes it after the test.
func installBoards(t *testing.T) client.WithWatch {
	t.Helper()
	config := configOf(t)
	options := envtest.CRDInstallOptions{
		Scheme: boardScheme(t), CRDs: []*apiextensionsv1.CustomResourceDefinition{boardDefinition()}, MaxTime: 10 * time.Second, PollInterval: 50 * time.Millisecond,
	}
	if _, err := envtest.InstallCRDs(config, options); err != nil {
		t.Fatal(err)
	}
	kube, err := client.NewWithWatch(config, client.Options{Scheme: options.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := envtest.UninstallCRDs(config, options); err != nil {
			t.Error(err)
		}
		eventuallyWithout(t, "the definition is gone", func(ctx context.Context) (bool, error) {
			err := kube.Get(ctx, client.ObjectKey{Name: boardDefinition().Name}, &apiextensionsv1.CustomResourceDefinition{})
			return client.IgnoreNotFound(err) == nil && err != nil, client.IgnoreNotFound(err)
		})
	})
	return kube
}

func board(name, title, team string) *Board {
	return &Board{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"suite": "boards"}}, Spec: BoardSpec{Title: title, Team: team}}
}
