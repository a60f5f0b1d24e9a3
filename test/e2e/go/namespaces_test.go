package clients

import (
	"testing"
	"time"

	"github.com/fluxcd/pkg/ssa"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
)

const nameLabel = "kubernetes.io/metadata.name"

// `helm install --create-namespace` and controllers send these requests with the typed client, which writes protobuf.
func TestTypedClientMakesANamespaceChangesItAndDeletesIt(t *testing.T) {
	config := configOf(t)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	namespaces := clientsetFor(t, config).CoreV1().Namespaces()
	ctx := t.Context()
	if _, err := namespaces.Get(ctx, "typed", metav1.GetOptions{}); !errors.IsNotFound(err) {
		t.Fatalf("it is there before: %v", err)
	}
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "typed", Labels: map[string]string{"name": "typed"}}}
	made, err := namespaces.Create(ctx, wanted, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if made.Labels["name"] != "typed" || made.Labels[nameLabel] != "typed" || made.Status.Phase != corev1.NamespaceActive {
		t.Fatalf("it is %+v", made)
	}
	if _, err := namespaces.Create(ctx, wanted, metav1.CreateOptions{}); !errors.IsAlreadyExists(err) {
		t.Fatalf("it is made twice: %v", err)
	}
	made.Annotations = map[string]string{"note": "kept"}
	if _, err := namespaces.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := namespaces.Update(ctx, made, metav1.UpdateOptions{}); !errors.IsConflict(err) {
		t.Fatalf("a stale update is no conflict: %v", err)
	}
	applied, err := namespaces.Apply(ctx, applycorev1.Namespace("typed").WithLabels(map[string]string{"a": "b"}), metav1.ApplyOptions{FieldManager: "mine"})
	if err != nil || applied.Labels["a"] != "b" || applied.Labels["name"] != "typed" || applied.Annotations["note"] != "kept" {
		t.Fatalf("%v: %+v", err, applied)
	}
	extracted, err := applycorev1.ExtractNamespace(applied, "mine")
	if err != nil || len(extracted.Labels) != 1 || extracted.Labels["a"] != "b" {
		t.Fatalf("%v: the manager owns %+v", err, extracted)
	}
	if err := namespaces.Delete(ctx, "typed", *metav1.NewPreconditionDeleteOptions(string(applied.UID))); err != nil {
		t.Fatal(err)
	}
	waitUntilGone(t, func() error {
		_, err := namespaces.Get(ctx, "typed", metav1.GetOptions{})
		return err
	})
}

func TestFluxMakesANamespaceAndWhatLiesInIt(t *testing.T) {
	manager := fluxOf(t)
	set := func() []*unstructured.Unstructured {
		inside := folder("inside", "Inside", "flux")
		inside.SetNamespace("flux-namespace")
		outside := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "flux-namespace", "labels": map[string]any{"a": "b"}},
		}}
		return []*unstructured.Unstructured{inside, outside}
	}
	for _, want := range []ssa.Action{ssa.CreatedAction, ssa.UnchangedAction} {
		changes, err := manager.ApplyAllStaged(t.Context(), set(), ssa.DefaultApplyOptions())
		if err != nil {
			t.Fatal(err)
		}
		expectActions(t, changes, want)
	}
	if entry, _, _, err := manager.Diff(t.Context(), set()[1], ssa.DefaultDiffOptions()); err != nil || entry.Action != ssa.UnchangedAction {
		t.Fatalf("%v: %v", err, entry)
	}
	if _, err := manager.DeleteAll(t.Context(), set(), ssa.DeleteOptions{PropagationPolicy: metav1.DeletePropagationBackground}); err != nil {
		t.Fatal(err)
	}
	waiting := ssa.WaitOptions{Interval: 50 * time.Millisecond, Timeout: 10 * time.Second}
	if err := manager.WaitForTermination(set(), waiting); err != nil {
		t.Fatal(err)
	}
}

// waitUntilGone waits until a read finds nothing.
func waitUntilGone(t *testing.T, get func() error) {
	t.Helper()
	for {
		err := get()
		if errors.IsNotFound(err) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-t.Context().Done():
			t.Fatal("it is still there")
		case <-time.After(20 * time.Millisecond):
		}
	}
}
