package clients

import (
	"context"
	"reflect"
	"testing"

	"github.com/fluxcd/pkg/ssa"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/csaupgrade"
)

const clientSide = "kubectl-client-side-apply"

// migrate takes over what kubectl has applied, and then applies the manifest.
type migrate func(t *testing.T, objects dynamic.ResourceInterface, manifest *unstructured.Unstructured)

// upgraded works like client-go's csaupgrade, Argo CD and Helm 4: it renames the entry by a JSON patch, and then applies.
func upgraded(owner string) migrate {
	return func(t *testing.T, objects dynamic.ResourceInterface, manifest *unstructured.Unstructured) {
		t.Helper()
		live, err := objects.Get(t.Context(), manifest.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		patch, err := csaupgrade.UpgradeManagedFieldsPatch(live, sets.New(clientSide), owner)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := objects.Patch(t.Context(), live.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		options := metav1.ApplyOptions{FieldManager: owner, Force: true}
		if _, err := objects.Apply(t.Context(), manifest.GetName(), manifest, options); err != nil {
			t.Fatal(err)
		}
	}
}

// byUpdate sends the whole object with the upgraded entries.
func byUpdate(t *testing.T, objects dynamic.ResourceInterface, manifest *unstructured.Unstructured) {
	t.Helper()
	live, err := objects.Get(t.Context(), manifest.GetName(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := csaupgrade.UpgradeManagedFields(live, sets.New(clientSide), "owner"); err != nil {
		t.Fatal(err)
	}
	if _, err := objects.Update(t.Context(), live, metav1.UpdateOptions{FieldManager: "other"}); err != nil {
		t.Fatal(err)
	}
	options := metav1.ApplyOptions{FieldManager: "owner", Force: true}
	if _, err := objects.Apply(t.Context(), manifest.GetName(), manifest, options); err != nil {
		t.Fatal(err)
	}
}

// byFlux cleans up as kustomize-controller does.
func byFlux(t *testing.T, _ dynamic.ResourceInterface, manifest *unstructured.Unstructured) {
	t.Helper()
	options := ssa.DefaultApplyOptions()
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{"kubectl.kubernetes.io/last-applied-configuration"},
		FieldManagers: []ssa.FieldManager{
			{Name: clientSide, OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
		},
	}
	if _, err := fluxOf(t).Apply(t.Context(), manifest, options); err != nil {
		t.Fatal(err)
	}
}

var migrations = map[string]migrate{
	"client-go": upgraded("owner"),
	"argo":      upgraded("argocd-controller"),
	"update":    byUpdate,
	"flux":      byFlux,
}

func manifestOf(kind, apiVersion, name string, spec map[string]any) *unstructured.Unstructured {
	metadata := map[string]any{
		"name": name, "namespace": "default",
		"labels":      map[string]any{"kept": "x"},
		"annotations": map[string]any{"note": "x"},
	}
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata, "spec": spec}}
}

// TestMigrationsKeepWhatTheyTakeOver applies an object as kubectl does, takes it over, and then leaves out a field, a label and an annotation. They
// must be gone, whether the object had one manager or two before.
func TestMigrationsKeepWhatTheyTakeOver(t *testing.T) {
	client, err := dynamic.NewForConfig(configOf(t))
	if err != nil {
		t.Fatal(err)
	}
	kinds := []struct {
		kind, apiVersion string
		resource         schema.GroupVersionResource
		dropped          string
	}{
		{"Dashboard", "dashboard.svc.app/v1beta1", schema.GroupVersionResource{Group: "dashboard.svc.app", Version: "v1beta1", Resource: "dashboards"}, "refresh"},
		{"Folder", "folder.svc.app/v1beta1", schema.GroupVersionResource{Group: "folder.svc.app", Version: "v1beta1", Resource: "folders"}, "description"},
		{"Team", "iam.svc.app/v1beta1", schema.GroupVersionResource{Group: "iam.svc.app", Version: "v1beta1", Resource: "teams"}, "email"},
	}
	for _, one := range kinds {
		for way, migrate := range migrations {
			for _, second := range []bool{false, true} {
				name := "migrated-" + way
				if second {
					name += "-second"
				}
				t.Run(one.kind+"/"+name, func(t *testing.T) {
					objects := client.Resource(one.resource).Namespace("default")
					t.Cleanup(func() { _ = objects.Delete(context.Background(), name, metav1.DeleteOptions{}) })
					live := manifestOf(one.kind, one.apiVersion, name, map[string]any{"title": name, one.dropped: "a@example.com"})
					live.SetLabels(map[string]string{"kept": "x", "dropped": "x"})
					live.SetAnnotations(map[string]string{"note": "x", "dropped": "x"})
					if _, err := objects.Create(t.Context(), live, metav1.CreateOptions{FieldManager: clientSide}); err != nil {
						t.Fatal(err)
					}
					if second {
						patch := []byte(`{"metadata":{"labels":{"other":"y"}}}`)
						if _, err := objects.Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "second"}); err != nil {
							t.Fatal(err)
						}
					}
					migrate(t, objects, manifestOf(one.kind, one.apiVersion, name, map[string]any{"title": name}))
					after, err := objects.Get(t.Context(), name, metav1.GetOptions{})
					if err != nil {
						t.Fatal(err)
					}
					spec, _, _ := unstructured.NestedMap(after.Object, "spec")
					if !reflect.DeepEqual(spec, map[string]any{"title": name}) {
						t.Errorf("the spec is %v; managers: %v", spec, after.GetManagedFields())
					}
					labels, annotations := after.GetLabels(), after.GetAnnotations()
					if labels["kept"] != "x" || labels["dropped"] != "" || annotations["note"] != "x" || annotations["dropped"] != "" {
						t.Errorf("labels %v, annotations %v", labels, annotations)
					}
					if second && labels["other"] != "y" {
						t.Errorf("the label of the second manager is gone: %v", labels)
					}
				})
			}
		}
	}
}
