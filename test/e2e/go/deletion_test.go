package clients

import (
	"context"
	"testing"
	"time"

	coordination "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// ownedLease makes a lease that names owner, if there is one.
func ownedLease(t *testing.T, leases typed.LeaseInterface, name string, owner *coordination.Lease, more metav1.ObjectMeta) *coordination.Lease {
	t.Helper()
	more.Name = name
	if owner != nil {
		reference := metav1.NewControllerRef(owner, coordination.SchemeGroupVersion.WithKind("Lease"))
		more.OwnerReferences = []metav1.OwnerReference{*reference}
	}
	made, err := leases.Create(t.Context(), &coordination.Lease{ObjectMeta: more}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// gone waits until there is no lease with this name.
func gone(t *testing.T, leases typed.LeaseInterface, name string) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 10*time.Second, true, func(ctx context.Context) (bool, error) {
		_, err := leases.Get(ctx, name, metav1.GetOptions{})
		return errors.IsNotFound(err), nil
	})
	if err != nil {
		t.Fatalf("%s is not deleted: %v", name, err)
	}
}

func TestForegroundDeletionWaitsForDependents(t *testing.T) {
	leases := clientsetOf(t).CoordinationV1().Leases(namespace)
	owner := ownedLease(t, leases, "foreground-owner", nil, metav1.ObjectMeta{})
	ownedLease(t, leases, "foreground-held", owner, metav1.ObjectMeta{Finalizers: []string{"example.com/hold"}})
	events, err := leases.Watch(t.Context(), metav1.ListOptions{
		FieldSelector: "metadata.name=foreground-owner", ResourceVersion: owner.ResourceVersion,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()
	policy := metav1.DeletePropagationForeground
	stale := metav1.DeleteOptions{PropagationPolicy: &policy, Preconditions: metav1.NewUIDPreconditions("another")}
	if err := leases.Delete(t.Context(), owner.Name, stale); !errors.IsConflict(err) {
		t.Fatalf("a deletion with another uid gets %v", err)
	}
	options := metav1.DeleteOptions{PropagationPolicy: &policy, Preconditions: metav1.NewUIDPreconditions(string(owner.UID))}
	if err := leases.Delete(t.Context(), owner.Name, options); err != nil {
		t.Fatal(err)
	}
	event := <-events.ResultChan()
	lease, isLease := event.Object.(*coordination.Lease)
	if !isLease || event.Type != watch.Modified || lease.DeletionTimestamp == nil || lease.Finalizers[0] != metav1.FinalizerDeleteDependents {
		t.Fatalf("the first event is %+v", event)
	}
	free := []byte(`{"metadata":{"finalizers":null}}`)
	if _, err := leases.Patch(t.Context(), "foreground-held", "application/merge-patch+json", free, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if event = <-events.ResultChan(); event.Type != watch.Deleted {
		t.Fatalf("the last event is %+v", event)
	}
	gone(t, leases, "foreground-held")
}

func TestDeleteCollectionTakesPagesAndPolicies(t *testing.T) {
	leases := clientsetOf(t).CoordinationV1().Leases(namespace)
	labels := map[string]string{"deleted": "together"}
	for _, name := range []string{"together-a", "together-b", "together-c"} {
		owner := ownedLease(t, leases, name, nil, metav1.ObjectMeta{Labels: labels})
		ownedLease(t, leases, name+"-owned", owner, metav1.ObjectMeta{})
	}
	policy := metav1.DeletePropagationBackground
	selected := metav1.ListOptions{LabelSelector: "deleted=together", Limit: 2}
	for left := 1; left >= 0; left-- {
		if err := leases.DeleteCollection(t.Context(), metav1.DeleteOptions{PropagationPolicy: &policy}, selected); err != nil {
			t.Fatal(err)
		}
		list, err := leases.List(t.Context(), metav1.ListOptions{LabelSelector: "deleted=together"})
		if err != nil || len(list.Items) != left {
			t.Fatalf("%d leases are left, not %d: %v", len(list.Items), left, err)
		}
	}
	for _, name := range []string{"together-a-owned", "together-b-owned", "together-c-owned"} {
		gone(t, leases, name)
	}
}
