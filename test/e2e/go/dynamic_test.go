package clients

import (
	"fmt"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
)

func TestRetryOnConflictLosesNoWrite(t *testing.T) {
	client := foldersOf(t, configOf(t))
	create(t, client, folder("contended", "Contended", "conflicts"))
	var writers sync.WaitGroup
	failures := make(chan error, 4)
	for i := range 4 {
		writers.Go(func() {
			failures <- retry.RetryOnConflict(retry.DefaultBackoff, func() error {
				current, err := client.Get(t.Context(), "contended", metav1.GetOptions{})
				if err != nil {
					return err
				}
				labels := current.GetLabels()
				labels[fmt.Sprintf("writer-%d", i)] = "wrote"
				current.SetLabels(labels)
				_, err = client.Update(t.Context(), current, metav1.UpdateOptions{})
				return err
			})
		})
	}
	writers.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			t.Error(err)
		}
	}
	current, err := client.Get(t.Context(), "contended", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if current.GetLabels()[fmt.Sprintf("writer-%d", i)] != "wrote" {
			t.Errorf("the write of writer %d is lost: %v", i, current.GetLabels())
		}
	}
}

func TestDynamicClientWritesAndReads(t *testing.T) {
	client := foldersOf(t, configOf(t))
	object := create(t, client, folder("dynamic", "Dynamic", "dynamic"))
	patch := []byte(`{"spec":{"title":"Merged"}}`)
	merged, err := client.Patch(t.Context(), "dynamic", types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil || titleOf(merged) != "Merged" {
		t.Fatalf("%v: %v", err, merged)
	}
	patch = []byte(`[{"op":"replace","path":"/spec/title","value":"Patched"}]`)
	patched, err := client.Patch(t.Context(), "dynamic", types.JSONPatchType, patch, metav1.PatchOptions{})
	if err != nil || titleOf(patched) != "Patched" {
		t.Fatalf("%v: %v", err, patched)
	}
	_, err = client.Apply(t.Context(), "dynamic", folder("dynamic", "Applied", "dynamic"), metav1.ApplyOptions{FieldManager: "e2e"})
	if !apierrors.IsConflict(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict) {
		t.Fatalf("the apply ended with %v", err)
	}
	options := metav1.ApplyOptions{FieldManager: "e2e", Force: true}
	applied, err := client.Apply(t.Context(), "dynamic", folder("dynamic", "Applied", "dynamic"), options)
	if err != nil || titleOf(applied) != "Applied" || applied.GetUID() != object.GetUID() {
		t.Fatalf("%v: %v", err, applied)
	}
}

func TestDynamicClientListsInPagesAndDeletesACollection(t *testing.T) {
	client := foldersOf(t, configOf(t))
	for i := range 5 {
		create(t, client, folder(fmt.Sprintf("page-%d", i), "Page", "pages"))
	}
	options := metav1.ListOptions{LabelSelector: "suite=pages", Limit: 2}
	names := []string{}
	for {
		page, err := client.List(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			names = append(names, item.GetName())
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			break
		}
	}
	if fmt.Sprint(names) != "[page-0 page-1 page-2 page-3 page-4]" {
		t.Fatalf("the pages have %v", names)
	}
	selected := metav1.ListOptions{LabelSelector: "suite=pages"}
	if err := client.DeleteCollection(t.Context(), metav1.DeleteOptions{}, selected); err != nil {
		t.Fatal(err)
	}
	if left, err := client.List(t.Context(), selected); err != nil || len(left.Items) != 0 {
		t.Fatalf("%v: %v", err, left)
	}
}

func TestErrorsAreThoseThatClientsTellApart(t *testing.T) {
	client := foldersOf(t, configOf(t))
	object := create(t, client, folder("errors", "Errors", "errors"))
	_, missing := client.Get(t.Context(), "nowhere", metav1.GetOptions{})
	_, exists := client.Create(t.Context(), folder("errors", "Again", "errors"), metav1.CreateOptions{})
	_, invalid := client.Create(t.Context(), folder("errors-2", "", "errors"), metav1.CreateOptions{})
	stale := object.DeepCopy()
	stale.SetResourceVersion("1")
	_ = unstructured.SetNestedField(stale.Object, "Stale", "spec", "title")
	_, conflict := client.Update(t.Context(), stale, metav1.UpdateOptions{})
	other := types.UID("00000000-0000-4000-8000-000000000000")
	refused := client.Delete(t.Context(), "errors", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}})
	_, expired := client.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "nonsense"})
	for name, is := range map[string]bool{
		"NotFound": apierrors.IsNotFound(missing), "AlreadyExists": apierrors.IsAlreadyExists(exists),
		"Invalid": apierrors.IsInvalid(invalid), "Conflict": apierrors.IsConflict(conflict),
		"Conflict of a precondition": apierrors.IsConflict(refused), "BadRequest": apierrors.IsBadRequest(expired),
	} {
		if !is {
			t.Errorf("the error is not %s: %v %v %v %v %v %v", name, missing, exists, invalid, conflict, refused, expired)
		}
	}
}
