package clients

import (
	"strings"
	"testing"
	"time"

	"github.com/fluxcd/pkg/ssa"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// worstTree is a tree in the worst order: each object names objects that come later.
const worstTree = `
apiVersion: dashboard.svc.app/v1beta1
kind: Dashboard
metadata: {name: PREFIX-dash, namespace: default, annotations: {svc.app/folder: PREFIX-child}}
spec: {title: PREFIX}
---
apiVersion: folder.svc.app/v1beta1
kind: Folder
metadata: {name: PREFIX-child, namespace: default, annotations: {svc.app/folder: PREFIX-parent}}
spec: {title: Child}
---
apiVersion: iam.svc.app/v1beta1
kind: RoleBinding
metadata: {name: PREFIX-binding, namespace: default}
spec: {subject: {kind: User, name: PREFIX-user}, roleRef: {kind: BuiltIn, name: Edit}, scope: {folder: PREFIX-parent}}
---
apiVersion: iam.svc.app/v1beta1
kind: TeamBinding
metadata: {name: PREFIX-team.PREFIX-user, namespace: default}
spec: {teamRef: {name: PREFIX-team}, userRef: {name: PREFIX-user}, permission: member}
---
apiVersion: iam.svc.app/v1beta1
kind: OrganizationBinding
metadata: {name: PREFIX-user, namespace: default}
spec: {userRef: {name: PREFIX-user}, role: Viewer}
---
apiVersion: iam.svc.app/v1beta1
kind: Team
metadata: {name: PREFIX-team, namespace: default}
spec: {title: PREFIX}
---
apiVersion: folder.svc.app/v1beta1
kind: Folder
metadata: {name: PREFIX-parent, namespace: default}
spec: {title: Parent}
---
apiVersion: iam.svc.app/v1beta1
kind: User
metadata: {name: PREFIX-user}
spec: {login: PREFIX-user, email: PREFIX-user@example.com}
`

func worstTreeOf(prefix string) string { return strings.ReplaceAll(worstTree, "PREFIX", prefix) }

func objectsOf(t *testing.T, manifests string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, text := range strings.Split(manifests, "---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	return objects
}

// Flux sorts by kind and name, and stops at the first object that is refused.
func TestFluxAppliesATreeInTheWorstOrderAtOnce(t *testing.T) {
	manager := fluxOf(t)
	tree := func() []*unstructured.Unstructured { return objectsOf(t, worstTreeOf("flux-tree")) }
	options := ssa.DefaultApplyOptions()
	set, err := manager.ApplyAllStaged(t.Context(), tree(), options)
	if err != nil {
		t.Fatal(err)
	}
	expectActions(t, set, ssa.CreatedAction)
	waiting := ssa.WaitOptions{Interval: 50 * time.Millisecond, Timeout: 10 * time.Second}
	if err := manager.Wait(tree(), waiting); err != nil {
		t.Fatal(err)
	}
	again, err := manager.ApplyAllStaged(t.Context(), tree(), options)
	if err != nil {
		t.Fatal(err)
	}
	expectActions(t, again, ssa.UnchangedAction)
	if _, err := manager.DeleteAll(t.Context(), tree(), ssa.DefaultDeleteOptions()); err != nil {
		t.Fatal(err)
	}
	if _, err := foldersOf(t, configOf(t)).Get(t.Context(), "flux-tree-parent", metav1.GetOptions{}); err == nil {
		t.Error("the tree is still there")
	}
}
