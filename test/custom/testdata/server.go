// Package fixtures connects Kubernetes' suite for custom resources to a server that runs already.
package fixtures

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	serveroptions "k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	servertesting "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Definitions with this label show the kinds of the server itself.
const ownDefinitions = "!svc.app/built-in"

func connect() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags(os.Getenv("SERVER"), os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	if credentials := os.Getenv("AUTHORIZATION"); credentials != "" {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return authorized{next, credentials} })
	}
	config.QPS = -1
	return config, createNamespaces(config)
}

type authorized struct {
	next        http.RoundTripper
	credentials string
}

func (a authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", a.credentials)
	return a.next.RoundTrip(request)
}

// The tests write objects into namespaces that they do not create.
var namespaces = append([]string{"not-the-default", "namespace-1", "namespace-2", "test"}, strings.Fields(os.Getenv("NAMESPACES"))...)

func createNamespaces(config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, name := range namespaces {
		namespace := &unstructured.Unstructured{}
		namespace.SetAPIVersion("v1")
		namespace.SetKind("Namespace")
		namespace.SetName(name)
		_, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(context.Background(), namespace, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

var noFinalizers = []byte(`{"metadata":{"finalizers":null}}`)

// cleanUp deletes the definitions that the test has left, because the next test needs their names.
func cleanUp(t servertesting.Logger, config *rest.Config) {
	typed, err := clientset.NewForConfig(config)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	definitions := typed.ApiextensionsV1().CustomResourceDefinitions()
	options := metav1.ListOptions{LabelSelector: ownDefinitions}
	err = wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, 20*time.Second, true, func(ctx context.Context) (bool, error) {
		left, err := definitions.List(ctx, options)
		if err != nil || len(left.Items) == 0 {
			return err == nil, err
		}
		for _, one := range left.Items {
			release(ctx, untyped, one)
			if one.DeletionTimestamp != nil && !slices.Contains(one.Finalizers, apiextensionsv1.CustomResourceCleanupFinalizer) {
				_, _ = definitions.Patch(ctx, one.Name, types.MergePatchType, noFinalizers, metav1.PatchOptions{})
			}
			if one.DeletionTimestamp == nil {
				_ = definitions.Delete(ctx, one.Name, metav1.DeleteOptions{})
			}
		}
		return false, nil
	})
	if err != nil {
		t.Errorf("the definitions of the test are still there: %v", err)
	}
}

// release removes the finalizers of all objects of a kind, which hold their definition.
func release(ctx context.Context, client dynamic.Interface, definition apiextensionsv1.CustomResourceDefinition) {
	for _, version := range definition.Spec.Versions {
		if !version.Served {
			continue
		}
		resource := schema.GroupVersionResource{Group: definition.Spec.Group, Version: version.Name, Resource: definition.Spec.Names.Plural}
		list, err := client.Resource(resource).List(ctx, metav1.ListOptions{})
		if err != nil {
			continue
		}
		for _, one := range list.Items {
			if len(one.GetFinalizers()) > 0 {
				_, _ = client.Resource(resource).Namespace(one.GetNamespace()).Patch(ctx, one.GetName(), types.MergePatchType, noFinalizers, metav1.PatchOptions{})
			}
		}
		return
	}
}

// StartDefaultServer connects to the server.
func StartDefaultServer(t servertesting.Logger, flags ...string) (func(), *rest.Config, *serveroptions.CustomResourceDefinitionsServerOptions, error) {
	// The server has always a cache for watches.
	if len(flags) > 0 && !strings.HasPrefix(flags[0], "--watch-cache=") {
		skip(t, fmt.Sprintf("needs a server with the flags %v", flags))
	}
	config, err := connect()
	if err != nil {
		return nil, nil, nil, err
	}
	options := serveroptions.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	return func() { cleanUp(t, config) }, config, options, nil
}

// StartDefaultServerWithConfigAccess connects to the server. Its configuration is not that of Kubernetes' server.
func StartDefaultServerWithConfigAccess(t servertesting.Logger, flags ...string) (func(), *rest.Config, apiserver.CompletedConfig, error) {
	skip(t, "needs a server in the same process")
	return nil, nil, apiserver.CompletedConfig{}, nil
}

// StartDefaultServerWithClients connects to the server and returns clients for it.
func StartDefaultServerWithClients(t servertesting.Logger, flags ...string) (func(), clientset.Interface, dynamic.Interface, error) {
	tearDown, config, _, err := StartDefaultServer(t, flags...)
	if err != nil {
		return nil, nil, nil, err
	}
	typed, err := clientset.NewForConfig(config)
	if err != nil {
		return nil, nil, nil, err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, nil, nil, err
	}
	return tearDown, typed, untyped, nil
}

// StartDefaultServerWithClientsAndEtcd is for tests that write to etcd.
func StartDefaultServerWithClientsAndEtcd(t servertesting.Logger, flags ...string) (func(), clientset.Interface, dynamic.Interface, *clientv3.Client, string, error) {
	skip(t, "needs etcd")
	return nil, nil, nil, nil, "", nil
}

// IntegrationEtcdServers has no addresses, because the server has no etcd.
func IntegrationEtcdServers() []string { return nil }

func skip(t servertesting.Logger, why string) {
	if test, ok := t.(interface{ Skip(args ...any) }); ok {
		test.Skip(why)
	}
	t.Fatalf("%s", why)
}
