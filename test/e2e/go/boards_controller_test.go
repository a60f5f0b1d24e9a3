package clients

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const byTeam = "spec.team"

// boards keeps a ConfigMap and a folder for each board.
type boards struct {
	client.Client
	events events.EventRecorder
}

func (b *boards) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	one := &Board{}
	if err := b.Get(ctx, request.NamespacedName, one); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !one.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(one, finalizer) {
			return reconcile.Result{}, client.IgnoreNotFound(b.Update(ctx, one))
		}
		return reconcile.Result{}, nil
	}
	if controllerutil.AddFinalizer(one, finalizer) {
		if err := b.Update(ctx, one); err != nil {
			return reconcile.Result{}, err
		}
	}
	if err := b.keepConfigMap(ctx, one); err != nil {
		return reconcile.Result{}, err
	}
	if err := b.keepFolder(ctx, one); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, b.tell(ctx, one)
}

func (b *boards) keepConfigMap(ctx context.Context, one *Board) error {
	values := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: one.Name, Namespace: one.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, values, func() error {
		values.Data = map[string]string{"title": one.Spec.Title}
		return controllerutil.SetControllerReference(one, values, b.Scheme())
	})
	return err
}

func (b *boards) keepFolder(ctx context.Context, one *Board) error {
	object := folder(one.Name, one.Spec.Title, "boards")
	if err := controllerutil.SetControllerReference(one, object, b.Scheme()); err != nil {
		return err
	}
	return b.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("boards"), client.ForceOwnership)
}

func (b *boards) tell(ctx context.Context, one *Board) error {
	before := one.DeepCopyObject().(*Board)
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Kept", Message: "All is there.", ObservedGeneration: one.Generation}
	isNew := meta.SetStatusCondition(&one.Status.Conditions, ready)
	one.Status.ObservedGeneration = one.Generation
	one.Status.Replicas = *one.Spec.Replicas
	if isNew {
		b.events.Eventf(one, nil, corev1.EventTypeNormal, "Kept", "Keep", "%s is kept", one.Spec.Title)
	}
	return b.Status().Patch(ctx, one, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// startBoards runs a manager with leader election and a controller of boards. The returned client reads from its cache.
func startBoards(t *testing.T) client.Client {
	t.Helper()
	log.SetLogger(zap.New())
	duration := func(value time.Duration) *time.Duration { return &value }
	m, err := manager.New(configOf(t), manager.Options{
		Scheme: boardScheme(t), Metrics: server.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "e2e-boards", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
		LeaseDuration: duration(3 * time.Second), RenewDeadline: duration(2 * time.Second), RetryPeriod: duration(200 * time.Millisecond),
	})
	if err != nil {
		t.Fatal(err)
	}
	team := func(object client.Object) []string { return []string{object.(*Board).Spec.Team} }
	if err := m.GetFieldIndexer().IndexField(t.Context(), &Board{}, byTeam, team); err != nil {
		t.Fatal(err)
	}
	owned := &unstructured.Unstructured{}
	owned.SetGroupVersionKind(folderKind)
	toOwner := handler.EnqueueRequestForOwner(m.GetScheme(), m.GetRESTMapper(), &Board{}, handler.OnlyControllerOwner())
	reconciler := &boards{Client: m.GetClient(), events: m.GetEventRecorder("boards")}
	if err := builder.ControllerManagedBy(m).For(&Board{}).Owns(&corev1.ConfigMap{}).Watches(owned, toOwner).Complete(reconciler); err != nil {
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
	return m.GetClient()
}
