package clients

import (
	"context"
	"testing"

	"github.com/argoproj/gitops-engine/pkg/diff"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kubectl/pkg/util"
)

const argoManager = "argocd-controller"

// argo compares objects with manifests by the code of Argo CD, and applies them with the same requests as Argo CD.
type argo struct {
	resourceOf func(*unstructured.Unstructured) dynamic.ResourceInterface
	// modes are the ways to compare that a user can choose from.
	modes map[string][]diff.Option
}

func argoOf(t *testing.T) argo {
	t.Helper()
	a := argo{resourceOf: resourcesOf(t, configOf(t))}
	document, err := clientsetOf(t).Discovery().OpenAPISchema()
	if err != nil {
		t.Fatal(err)
	}
	models, err := proto.NewOpenAPIData(document)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := managedfields.NewGVKParser(models, false)
	if err != nil {
		t.Fatal(err)
	}
	options := func(more ...diff.Option) []diff.Option {
		return append(more, diff.WithManager(argoManager), diff.WithGVKParser(parser), diff.WithLogr(logr.Discard()))
	}
	a.modes = map[string][]diff.Option{
		"three-way":         options(),
		"structured merge":  options(diff.WithStructuredMergeDiff(true)),
		"server-side apply": options(diff.WithServerSideDiff(true), diff.WithServerSideDryRunner(a)),
	}
	return a
}

// resourcesOf finds the resource of each object by discovery.
func resourcesOf(t *testing.T, config *rest.Config) func(*unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	mapper, _ := mapperOf(t, config)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return func(object *unstructured.Unstructured) dynamic.ResourceInterface {
		mapping, err := mapper.RESTMapping(object.GroupVersionKind().GroupKind(), object.GroupVersionKind().Version)
		if err != nil {
			t.Fatal(err)
		}
		return client.Resource(mapping.Resource).Namespace(object.GetNamespace())
	}
}

// Run is the dry run that the mode "server-side apply" compares with.
func (a argo) Run(ctx context.Context, object *unstructured.Unstructured, manager string) (string, error) {
	options := metav1.ApplyOptions{FieldManager: manager, Force: true, DryRun: []string{metav1.DryRunAll}}
	predicted, err := a.resourceOf(object).Apply(ctx, object.GetName(), object, options)
	if err != nil {
		return "", err
	}
	text, err := predicted.MarshalJSON()
	return string(text), err
}

func (a argo) apply(t *testing.T, object *unstructured.Unstructured, serverSide bool) {
	t.Helper()
	resource := a.resourceOf(object)
	var err error
	if serverSide {
		_, err = resource.Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: argoManager, Force: true})
	} else if err = util.CreateApplyAnnotation(object, unstructured.UnstructuredJSONScheme); err == nil {
		_, err = resource.Create(t.Context(), object, metav1.CreateOptions{FieldManager: argoManager})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// differing returns the names of the objects that differ from the manifests.
func (a argo) differing(t *testing.T, mode string, objects []*unstructured.Unstructured) []string {
	t.Helper()
	var names []string
	for _, object := range objects {
		live, err := a.resourceOf(object).Get(t.Context(), object.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := diff.Diff(object, live, a.modes[mode]...)
		if err != nil {
			t.Fatalf("%s of %s: %v", mode, object.GetName(), err)
		}
		if result.Modified {
			names = append(names, object.GetName())
		}
	}
	return names
}

// Argo CD must not find its own applied objects out of sync.
func TestArgoAppliesATreeInTheWorstOrderAndFindsNoFalseDifference(t *testing.T) {
	for prefix, serverSide := range map[string]bool{"argo-client": false, "argo-server": true} {
		a := argoOf(t)
		tree := func() []*unstructured.Unstructured { return objectsOf(t, worstTreeOf(prefix)) }
		for _, object := range tree() {
			a.apply(t, object, serverSide)
		}
		for mode := range a.modes {
			if names := a.differing(t, mode, tree()); len(names) > 0 {
				t.Errorf("%s: the mode %s finds a difference in %v, but there is none", prefix, mode, names)
			}
		}
		drift := []byte(`{"spec":{"title":"Drifted"}}`)
		options := metav1.PatchOptions{FieldManager: "kubectl-edit"}
		parent := prefix + "-parent"
		if _, err := foldersOf(t, configOf(t)).Patch(t.Context(), parent, types.MergePatchType, drift, options); err != nil {
			t.Fatal(err)
		}
		for mode := range a.modes {
			if names := a.differing(t, mode, tree()); len(names) != 1 || names[0] != parent {
				t.Errorf("%s: the mode %s finds a difference in %v, but only %s has one", prefix, mode, names, parent)
			}
		}
	}
}
