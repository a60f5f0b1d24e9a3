package clients

import (
	"context"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const finalizer = "e2e.example.com/cleaned-up"

// cleaner holds folders until it has cleaned up after them.
type cleaner struct {
	client.Client
	cleaned chan string
}

func (c *cleaner) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(folderKind)
	if err := c.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if object.GetDeletionTimestamp().IsZero() {
		if controllerutil.AddFinalizer(object, finalizer) {
			return reconcile.Result{}, c.Update(ctx, object)
		}
		return reconcile.Result{}, nil
	}
	if !controllerutil.RemoveFinalizer(object, finalizer) {
		return reconcile.Result{}, nil
	}
	if err := c.Update(ctx, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	c.cleaned <- request.Name
	return reconcile.Result{}, nil
}

// startController runs a manager with leader election and a controller of the folders of the suite "controller".
func startController(t *testing.T) *cleaner {
	t.Helper()
	log.SetLogger(zap.New())
	duration := func(value time.Duration) *time.Duration { return &value }
	m, err := manager.New(configOf(t), manager.Options{
		Metrics:        server.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "e2e-controller", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
		LeaseDuration: duration(3 * time.Second), RenewDeadline: duration(2 * time.Second), RetryPeriod: duration(200 * time.Millisecond),
	})
	if err != nil {
		t.Fatal(err)
	}
	reconciler := &cleaner{Client: m.GetClient(), cleaned: make(chan string, 10)}
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(folderKind)
	own, err := predicate.LabelSelectorPredicate(metav1.LabelSelector{MatchLabels: map[string]string{"suite": "controller"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := builder.ControllerManagedBy(m).For(object, builder.WithPredicates(own)).Named("cleaner").Complete(reconciler); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- m.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the manager ended with %v", err)
		}
	})
	return reconciler
}

func TestControllerHoldsFoldersByAFinalizer(t *testing.T) {
	folders := foldersOf(t, configOf(t))
	create(t, folders, folder("held", "Held", "controller"))
	reconciler := startController(t)
	held := func(name string) func(context.Context) (bool, error) {
		return func(ctx context.Context) (bool, error) {
			object, err := folders.Get(ctx, name, metav1.GetOptions{})
			return err == nil && controllerutil.ContainsFinalizer(object, finalizer), err
		}
	}
	eventually(t, "a folder that was there is held", held("held"))
	create(t, folders, folder("held-later", "Held", "controller"))
	eventually(t, "a new folder is held", held("held-later"))
	lease, err := clientsetOf(t).CoordinationV1().Leases(namespace).Get(t.Context(), "e2e-controller", metav1.GetOptions{})
	if err != nil || *lease.Spec.HolderIdentity == "" {
		t.Fatalf("%v: %v", err, lease)
	}
	if err := folders.Delete(t.Context(), "held", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if name := next(t, reconciler.cleaned); name != "held" {
		t.Fatalf("%s was cleaned up", name)
	}
	eventually(t, "the folder is gone", func(ctx context.Context) (bool, error) {
		_, err := folders.Get(ctx, "held", metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
	if object, err := folders.Get(t.Context(), "held-later", metav1.GetOptions{}); err != nil || object.GetDeletionTimestamp() != nil {
		t.Fatalf("%v: %v", err, object)
	}
}
