package clients

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

var (
	folderKind = schema.GroupVersionKind{Group: "folder.svc.app", Version: "v1beta1", Kind: "Folder"}
	folders    = folderKind.GroupVersion().WithResource("folders")
)

// folder is the manifest of a folder, with a label by which tests find their own folders.
func folder(name, title, suite string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"title": title}}}
	object.SetGroupVersionKind(folderKind)
	object.SetNamespace(namespace)
	object.SetName(name)
	object.SetLabels(map[string]string{"suite": suite})
	return object
}

func titleOf(object *unstructured.Unstructured) string {
	title, _, _ := unstructured.NestedString(object.Object, "spec", "title")
	return title
}

func foldersOf(t *testing.T, config *rest.Config) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client.Resource(folders).Namespace(namespace)
}

func create(t *testing.T, client dynamic.ResourceInterface, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	created, err := client.Create(t.Context(), object, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func(ctx context.Context) (bool, error)) {
	t.Helper()
	if err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 20*time.Second, true, holds); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// requests remembers the answers of a client: "GET /path?query 200", and how many watches ended because their revision was expired.
type requests struct {
	mutex   sync.Mutex
	lines   []string
	expired int
}

// body is the body of an answer. It reports what was read.
type body struct {
	io.ReadCloser
	read func(chunk []byte)
}

func (b body) Read(chunk []byte) (int, error) {
	count, err := b.ReadCloser.Read(chunk)
	b.read(chunk[:count])
	return count, err
}

type roundTripper func(*http.Request) (*http.Response, error)

func (trip roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return trip(request)
}

// watching returns a copy of a configuration whose requests are remembered.
func (seen *requests) watching(config *rest.Config) *rest.Config {
	watched := rest.CopyConfig(config)
	watched.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err == nil {
				seen.mutex.Lock()
				defer seen.mutex.Unlock()
				seen.lines = append(seen.lines, request.Method+" "+request.URL.String()+" "+response.Status)
				response.Body = body{response.Body, seen.count}
			}
			return response, err
		})
	})
	return watched
}

func (seen *requests) count(chunk []byte) {
	seen.mutex.Lock()
	defer seen.mutex.Unlock()
	if bytes.Contains(chunk, []byte(`"type":"ERROR"`)) && bytes.Contains(chunk, []byte(`"reason":"Expired"`)) {
		seen.expired++
	}
}

// with counts the answers whose lines have all these parts.
func (seen *requests) with(parts ...string) int {
	seen.mutex.Lock()
	defer seen.mutex.Unlock()
	count := 0
	for _, line := range seen.lines {
		fits := true
		for _, part := range parts {
			fits = fits && strings.Contains(line, part)
		}
		if fits {
			count++
		}
	}
	return count
}
