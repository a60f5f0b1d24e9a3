package clients

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// informerOf starts a shared informer of the folders of a suite, and waits until it has them.
func informerOf(t *testing.T, client dynamic.ResourceInterface, suite string) cache.SharedIndexInformer {
	t.Helper()
	selected := func(options metav1.ListOptions) metav1.ListOptions {
		options.LabelSelector = "suite=" + suite
		return options
	}
	listWatch := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, selected(options))
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.Watch(ctx, selected(options))
		},
	}
	lists := cache.ToListWatcherWithWatchListSemantics(listWatch, client)
	informer := cache.NewSharedIndexInformer(lists, &unstructured.Unstructured{}, 0, cache.Indexers{})
	go informer.RunWithContext(t.Context())
	if !cache.WaitForCacheSync(t.Context().Done(), informer.HasSynced) {
		t.Fatal("the informer has not synced")
	}
	return informer
}

// expectTitles waits until an informer has exactly these folders, by name.
func expectTitles(t *testing.T, informer cache.SharedIndexInformer, want map[string]string) {
	t.Helper()
	eventually(t, "the informer has the folders", func(context.Context) (bool, error) {
		keys := informer.GetStore().ListKeys()
		for name, title := range want {
			object, exists, _ := informer.GetStore().GetByKey(namespace + "/" + name)
			if !exists || titleOf(object.(*unstructured.Unstructured)) != title {
				return false, nil
			}
		}
		return len(keys) == len(want), nil
	})
}

func informerFollows(t *testing.T, watchList bool, suite string) *requests {
	t.Helper()
	featurestesting.SetFeatureDuringTest(t, features.WatchListClient, watchList)
	seen := &requests{}
	client := foldersOf(t, seen.watching(configOf(t)))
	create(t, client, folder(suite+"-1", "One", suite))
	changed := create(t, client, folder(suite+"-2", "Two", suite))
	informer := informerOf(t, client, suite)
	expectTitles(t, informer, map[string]string{suite + "-1": "One", suite + "-2": "Two"})
	create(t, client, folder(suite+"-3", "Three", suite))
	_ = unstructured.SetNestedField(changed.Object, "Changed", "spec", "title")
	if _, err := client.Update(t.Context(), changed, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := client.Delete(t.Context(), suite+"-1", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	expectTitles(t, informer, map[string]string{suite + "-2": "Changed", suite + "-3": "Three"})
	return seen
}

func TestInformerWithWatchListFollows(t *testing.T) {
	seen := informerFollows(t, true, "streamed")
	if seen.with("sendInitialEvents=true", "200 OK") != 1 || seen.with("GET", "/folders?") != 1 {
		t.Fatalf("the requests were %v", seen.lines)
	}
}

func TestInformerWithoutWatchListFollows(t *testing.T) {
	seen := informerFollows(t, false, "listed")
	if seen.with("sendInitialEvents") != 0 || seen.with("watch=true", "200 OK") != 1 || seen.with("GET", "resourceVersion=0", "200 OK") != 1 {
		t.Fatalf("the requests were %v", seen.lines)
	}
}

// On POST /compact, the server behind COMPACTED_URL ends its watches, changes folders, and compacts its log.
func informerComesBack(t *testing.T, watchList bool, suite string) {
	t.Helper()
	url := os.Getenv("COMPACTED_URL")
	if url == "" {
		t.Skip("COMPACTED_URL does not name a server that forgets its history")
	}
	featurestesting.SetFeatureDuringTest(t, features.WatchListClient, watchList)
	seen := &requests{}
	client := foldersOf(t, seen.watching(&rest.Config{Host: url}))
	create(t, client, folder(suite+"-1", "One", suite))
	informer := informerOf(t, client, suite)
	// An informer whose watch ends before its first event would list again instead of resuming.
	create(t, client, folder(suite+"-gone", "Gone", suite))
	expectTitles(t, informer, map[string]string{suite + "-1": "One", suite + "-gone": "Gone"})
	answer, err := (&http.Client{Timeout: 20 * time.Second}).Post(url+"/compact?suite="+suite, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	expectTitles(t, informer, map[string]string{suite + "-1": "One", suite + "-new": "New"})
	seen.mutex.Lock()
	defer seen.mutex.Unlock()
	if seen.expired == 0 {
		t.Fatalf("the requests were %v", seen.lines)
	}
}

func TestInformerWithWatchListComesBackAfterCompaction(t *testing.T) {
	informerComesBack(t, true, "streamed")
}

func TestInformerWithoutWatchListComesBackAfterCompaction(t *testing.T) {
	informerComesBack(t, false, "listed")
}
