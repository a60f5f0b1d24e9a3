package clients

import (
	"context"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// candidate runs for the lease until the context ends, and reports when it leads.
func candidate(ctx context.Context, clientset kubernetes.Interface, name string, leads chan<- string) {
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Name: "elected", Namespace: namespace},
		Client:     clientset.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: name},
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   3 * time.Second,
		RenewDeadline:   2 * time.Second,
		RetryPeriod:     100 * time.Millisecond,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leads <- name },
			OnStoppedLeading: func() {},
		},
	})
}

func TestLeaderElectionHandsTheLeaseOver(t *testing.T) {
	clientset := clientsetOf(t)
	leads := make(chan string, 2)
	first, stopFirst := context.WithCancel(t.Context())
	go candidate(first, clientset, "first", leads)
	if name := next(t, leads); name != "first" {
		t.Fatalf("%s leads", name)
	}
	go candidate(t.Context(), clientset, "second", leads)
	select {
	case name := <-leads:
		t.Fatalf("%s leads while the first one does", name)
	case <-time.After(500 * time.Millisecond):
	}
	stopFirst()
	if name := next(t, leads); name != "second" {
		t.Fatalf("%s leads", name)
	}
	lease, err := clientset.CoordinationV1().Leases(namespace).Get(t.Context(), "elected", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if *lease.Spec.HolderIdentity != "second" || lease.Spec.RenewTime == nil || *lease.Spec.LeaseTransitions == 0 {
		t.Fatalf("the lease is %+v", lease.Spec)
	}
}

func next(t *testing.T, leads <-chan string) string {
	t.Helper()
	select {
	case name := <-leads:
		return name
	case <-time.After(10 * time.Second):
		t.Fatal("nobody leads")
		return ""
	}
}
