package clients

import (
	"context"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// A typed client asks for protobuf, and needs the form of the list in the bookmark that ends the initial events.
func typedInformerFollows(t *testing.T, watchList bool, name string) *requests {
	t.Helper()
	featurestesting.SetFeatureDuringTest(t, features.WatchListClient, watchList)
	seen := &requests{}
	config := seen.watching(configOf(t))
	config.ContentType = "application/vnd.kubernetes.protobuf"
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	leases := clientset.CoordinationV1().Leases(namespace)
	factory := informers.NewSharedInformerFactoryWithOptions(clientset, 0, informers.WithNamespace(namespace))
	lister := factory.Coordination().V1().Leases().Lister().Leases(namespace)
	factory.StartWithContext(t.Context())
	for kind, synced := range factory.WaitForCacheSync(t.Context().Done()) {
		if !synced {
			t.Fatalf("the informer of %v has not synced", kind)
		}
	}
	holder := "informed"
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder},
	}
	if _, err := leases.Create(t.Context(), lease, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lister has the lease", func(context.Context) (bool, error) {
		found, err := lister.Get(name)
		return err == nil && *found.Spec.HolderIdentity == holder, nil
	})
	if err := leases.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lister has no lease", func(context.Context) (bool, error) {
		_, err := lister.Get(name)
		return err != nil, nil
	})
	return seen
}

func TestTypedInformerWithWatchListFollows(t *testing.T) {
	seen := typedInformerFollows(t, true, "typed-streamed")
	if seen.with("sendInitialEvents=true", "200 OK") != 1 || seen.with("GET", "/leases?") != 1 {
		t.Fatalf("the requests were %v", seen.lines)
	}
}

func TestTypedInformerWithoutWatchListFollows(t *testing.T) {
	seen := typedInformerFollows(t, false, "typed-listed")
	if seen.with("sendInitialEvents") != 0 || seen.with("watch=true", "200 OK") != 1 {
		t.Fatalf("the requests were %v", seen.lines)
	}
}
