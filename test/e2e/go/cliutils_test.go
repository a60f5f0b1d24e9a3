package clients

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/kubectl/pkg/cmd/util"
	"sigs.k8s.io/cli-utils/pkg/apply"
	"sigs.k8s.io/cli-utils/pkg/apply/event"
	"sigs.k8s.io/cli-utils/pkg/inventory"
)

// newInventory is the ConfigMap in which cli-utils remembers what it has applied.
func newInventory() inventory.Info {
	return inventory.WrapInventoryInfoObj(&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{
			"name": "kapply-inventory", "namespace": namespace, "labels": map[string]any{"cli-utils.sigs.k8s.io/inventory-id": "kapply"},
		},
	}})
}

// kapplyOf makes the applier and the destroyer of kapply and kpt.
func kapplyOf(t *testing.T) (*apply.Applier, *apply.Destroyer) {
	t.Helper()
	configOf(t)
	factory := util.NewFactory(genericclioptions.NewConfigFlags(true))
	stored, err := inventory.ClusterClientFactory{}.NewClient(factory)
	if err != nil {
		t.Fatal(err)
	}
	applier, err := apply.NewApplierBuilder().WithFactory(factory).WithInventoryClient(stored).Build()
	if err != nil {
		t.Fatal(err)
	}
	destroyer, err := apply.NewDestroyerBuilder().WithFactory(factory).WithInventoryClient(stored).Build()
	if err != nil {
		t.Fatal(err)
	}
	return applier, destroyer
}

// outcomes counts what was applied, pruned, deleted and reconciled. Anything else that happened to an object fails the test.
func outcomes(t *testing.T, events <-chan event.Event) map[event.Type]int {
	t.Helper()
	counts := map[event.Type]int{}
	for happened := range events {
		failed := false
		switch happened.Type {
		case event.ErrorType, event.ValidationType:
			failed = true
		case event.ApplyType:
			failed = happened.ApplyEvent.Status != event.ApplySuccessful
		case event.PruneType:
			failed = happened.PruneEvent.Status != event.PruneSuccessful
		case event.DeleteType:
			failed = happened.DeleteEvent.Status != event.DeleteSuccessful
		case event.WaitType:
			if happened.WaitEvent.Status == event.ReconcilePending {
				continue
			}
			failed = happened.WaitEvent.Status != event.ReconcileSuccessful
		}
		if failed {
			t.Errorf("it reported %v", happened)
		}
		counts[happened.Type]++
	}
	return counts
}

// cli-utils sorts by kind and name, and waits until every object is reconciled.
func TestCliUtilsAppliesPrunesAndDestroysATree(t *testing.T) {
	applier, destroyer := kapplyOf(t)
	options := apply.ApplierOptions{ReconcileTimeout: 20 * time.Second, PruneTimeout: 20 * time.Second}
	tree := func() []*unstructured.Unstructured { return objectsOf(t, worstTreeOf("kapply")) }
	all := len(tree())

	for range 2 {
		counts := outcomes(t, applier.Run(t.Context(), newInventory(), tree(), options))
		if counts[event.ApplyType] != all || counts[event.WaitType] != all || counts[event.PruneType] != 0 {
			t.Fatalf("of %d objects, the counts by type of event are %v", all, counts)
		}
	}

	// The first object is the dashboard, to which no other object refers.
	counts := outcomes(t, applier.Run(t.Context(), newInventory(), tree()[1:], options))
	if counts[event.ApplyType] != all-1 || counts[event.PruneType] != 1 {
		t.Fatalf("without one of %d objects, the counts by type of event are %v", all, counts)
	}

	outcomes(t, destroyer.Run(t.Context(), newInventory(), apply.DestroyerOptions{DeleteTimeout: 20 * time.Second}))
	if _, err := foldersOf(t, configOf(t)).Get(t.Context(), "kapply-parent", metav1.GetOptions{}); !errors.IsNotFound(err) {
		t.Errorf("the tree is still there: %v", err)
	}
	configMaps := clientsetOf(t).CoreV1().ConfigMaps(namespace)
	if _, err := configMaps.Get(t.Context(), "kapply-inventory", metav1.GetOptions{}); !errors.IsNotFound(err) {
		t.Errorf("the inventory is still there: %v", err)
	}
}
