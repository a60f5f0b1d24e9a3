package clients

import (
	"testing"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fluxOf makes the resource manager of Flux's kustomize-controller.
func fluxOf(t *testing.T) *ssa.ResourceManager {
	t.Helper()
	config := configOf(t)
	mapper, web := mapperOf(t, config)
	kube, err := client.New(config, client.Options{Scheme: runtime.NewScheme(), Mapper: mapper, HTTPClient: web})
	if err != nil {
		t.Fatal(err)
	}
	poller := polling.NewStatusPoller(kube, mapper, polling.Options{})
	manager := ssa.NewResourceManager(kube, poller, ssa.Owner{Field: "flux-e2e", Group: "e2e.example.com"})
	manager.SetConcurrency(1)
	return manager
}

// actions returns the action on each object, by name.
func actions(set *ssa.ChangeSet) map[string]ssa.Action {
	found := map[string]ssa.Action{}
	for _, entry := range set.Entries {
		found[entry.ObjMetadata.Name] = entry.Action
	}
	return found
}

func expectActions(t *testing.T, set *ssa.ChangeSet, want ssa.Action) {
	t.Helper()
	for name, action := range actions(set) {
		if action != want {
			t.Errorf("%s was %s, but should be %s", name, action, want)
		}
	}
}

func fluxSet() []*unstructured.Unstructured {
	parent, child := folder("flux-a", "Parent", "flux"), folder("flux-b", "Child", "flux")
	child.SetAnnotations(map[string]string{"svc.app/folder": "flux-a"})
	return []*unstructured.Unstructured{parent, child}
}

func applied(t *testing.T, manager *ssa.ResourceManager, want ssa.Action) {
	t.Helper()
	set, err := manager.ApplyAllStaged(t.Context(), fluxSet(), ssa.DefaultApplyOptions())
	if err != nil {
		t.Fatal(err)
	}
	expectActions(t, set, want)
	if len(set.Entries) != 2 {
		t.Errorf("the set has %v", set.Entries)
	}
}

func TestFluxAppliesASetFindsDriftAndDeletes(t *testing.T) {
	manager := fluxOf(t)
	waiting := ssa.WaitOptions{Interval: 50 * time.Millisecond, Timeout: 10 * time.Second}
	applied(t, manager, ssa.CreatedAction)
	if err := manager.Wait(fluxSet(), waiting); err != nil {
		t.Fatal(err)
	}
	applied(t, manager, ssa.UnchangedAction)
	drift := []byte(`{"spec":{"title":"Drifted"}}`)
	options := metav1.PatchOptions{FieldManager: "kubectl-edit"}
	if _, err := foldersOf(t, configOf(t)).Patch(t.Context(), "flux-a", types.MergePatchType, drift, options); err != nil {
		t.Fatal(err)
	}
	entry, live, merged, err := manager.Diff(t.Context(), fluxSet()[0], ssa.DefaultDiffOptions())
	if err != nil || entry.Action != ssa.ConfiguredAction || titleOf(live) != "Drifted" || titleOf(merged) != "Parent" {
		t.Fatalf("%v: %v, %v, %v", err, entry, live, merged)
	}
	if entry, _, _, err := manager.Diff(t.Context(), fluxSet()[1], ssa.DefaultDiffOptions()); err != nil || entry.Action != ssa.UnchangedAction {
		t.Fatalf("%v: %v", err, entry)
	}
	set, err := manager.ApplyAllStaged(t.Context(), fluxSet(), ssa.DefaultApplyOptions())
	if err != nil || actions(set)["flux-a"] != ssa.ConfiguredAction || actions(set)["flux-b"] != ssa.UnchangedAction {
		t.Fatalf("%v: %v", err, set)
	}
	deleted, err := manager.DeleteAll(t.Context(), fluxSet(), ssa.DefaultDeleteOptions())
	if err != nil || len(deleted.Entries) != 2 {
		t.Fatalf("%v: %v", err, deleted)
	}
	if err := manager.WaitForTermination(fluxSet(), waiting); err != nil {
		t.Fatal(err)
	}
}
