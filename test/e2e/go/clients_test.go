package clients

import (
	"net/http"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

const namespace = "default"

// configOf reads the kubeconfig that the server wrote.
func configOf(t *testing.T) *rest.Config {
	t.Helper()
	path := os.Getenv("KUBECONFIG")
	if path == "" {
		t.Skip("KUBECONFIG does not name the kubeconfig of a server; run these tests by test/e2e/go.test.ts")
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	// The tests send many requests, and measure nothing.
	config.QPS = -1
	return config
}

// clientsetOf makes the typed client, which sends protobuf.
func clientsetOf(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	return clientsetFor(t, configOf(t))
}

// clientsetFor makes the typed client with settings of its own.
func clientsetFor(t *testing.T, config *rest.Config) *kubernetes.Clientset {
	t.Helper()
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return clientset
}

// mapperOf finds resources by discovery. It also returns its HTTP client.
func mapperOf(t *testing.T, config *rest.Config) (meta.RESTMapper, *http.Client) {
	t.Helper()
	web, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, web)
	if err != nil {
		t.Fatal(err)
	}
	return mapper, web
}
