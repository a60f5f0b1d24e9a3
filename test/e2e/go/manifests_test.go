package clients

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestManifestsHaveOnlyFieldsOfKubernetes decodes the manifests for Kubernetes as strictly as its API server. MANIFESTS names their folder.
func TestManifestsHaveOnlyFieldsOfKubernetes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(os.Getenv("MANIFESTS"), "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no manifests in %q: %v", os.Getenv("MANIFESTS"), err)
	}
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	if _, _, err := decoder.Decode([]byte(`{"apiVersion":"v1","kind":"Service","spec":{"port":1}}`), nil, nil); err == nil {
		t.Fatal("a field that a Service does not have was accepted")
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reader := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(content)))
		buffer := make([]byte, len(content))
		for {
			length, err := reader.Read(buffer)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := decoder.Decode(buffer[:length], nil, nil); err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
			}
		}
	}
}
