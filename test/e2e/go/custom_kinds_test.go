package clients

import (
	"context"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// eventuallyWithout is like eventually, but for clean-ups, in which the context of the test has ended.
func eventuallyWithout(t *testing.T, what string, holds func(ctx context.Context) (bool, error)) {
	t.Helper()
	if err := wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, 20*time.Second, true, holds); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func TestControllerKeepsWhatCustomObjectsOwn(t *testing.T) {
	kube := installBoards(t)
	cached := startBoards(t)
	one, other := board("board-a", "Alpha", "red"), board("board-b", "Beta", "blue")
	for _, object := range []*Board{one, other} {
		if err := kube.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	readyAt := func(name string, generation int64) func(context.Context) (bool, error) {
		return func(ctx context.Context) (bool, error) {
			object := &Board{}
			err := kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, object)
			return meta.IsStatusConditionTrue(object.Status.Conditions, "Ready") && object.Status.ObservedGeneration == generation, err
		}
	}
	eventually(t, "the first board is ready", readyAt("board-a", 1))
	eventually(t, "the second board is ready", readyAt("board-b", 1))
	ownedHave(t, kube, "board-a", "Alpha")
	cacheFinds(t, cached, kube)
	repairs(t, kube)
	changed := &Board{}
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(one), changed); err != nil {
		t.Fatal(err)
	}
	changed.Spec.Title = "Gamma"
	if err := kube.Update(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the change is kept", readyAt("board-a", 2))
	ownedHave(t, kube, "board-a", "Gamma")
	eventsTell(t, kube, "board-a")
	if err := kube.Delete(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what the board owned is gone with it", func(ctx context.Context) (bool, error) {
		object := folder("board-a", "", "")
		key := client.ObjectKeyFromObject(one)
		for _, one := range []client.Object{&Board{}, &corev1.ConfigMap{}, object} {
			if err := kube.Get(ctx, key, one); !apierrors.IsNotFound(err) {
				return false, client.IgnoreNotFound(err)
			}
		}
		return true, nil
	})
	if err := kube.DeleteAllOf(t.Context(), &Board{}, client.InNamespace(namespace), client.MatchingLabels{"suite": "boards"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no board is left", func(ctx context.Context) (bool, error) {
		list := &BoardList{}
		err := kube.List(ctx, list)
		return len(list.Items) == 0, err
	})
}

// ownedHave checks the ConfigMap and the folder of a board.
func ownedHave(t *testing.T, kube client.Client, name, title string) {
	t.Helper()
	key := client.ObjectKey{Namespace: namespace, Name: name}
	values, object := &corev1.ConfigMap{}, folder(name, "", "")
	if err := kube.Get(t.Context(), key, values); err != nil || values.Data["title"] != title {
		t.Fatalf("%v: %v", err, values)
	}
	if err := kube.Get(t.Context(), key, object); err != nil || titleOf(object) != title || metav1.GetControllerOf(object).Kind != "Board" {
		t.Fatalf("%v: %v", err, object)
	}
}

// cacheFinds looks by label and by field: in the cache of the manager by its index, and in the server by the selectable field.
func cacheFinds(t *testing.T, cached, kube client.Client) {
	t.Helper()
	for _, reader := range []client.Client{cached, kube} {
		found := &BoardList{}
		options := []client.ListOption{client.InNamespace(namespace), client.MatchingFields{byTeam: "blue"}, client.MatchingLabels{"suite": "boards"}}
		if err := reader.List(t.Context(), found, options...); err != nil || len(found.Items) != 1 || found.Items[0].Name != "board-b" {
			t.Fatalf("%v: %v", err, found.Items)
		}
	}
}

// repairs checks that changes of owned objects start the controller.
func repairs(t *testing.T, kube client.Client) {
	t.Helper()
	values := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "board-a", Namespace: namespace}}
	if err := kube.Delete(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	drifted := folder("board-a", "", "")
	if err := kube.Patch(t.Context(), drifted, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"title":"Drifted"}}`))); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what was changed by hand is as before", func(ctx context.Context) (bool, error) {
		object := folder("board-a", "", "")
		key := client.ObjectKeyFromObject(values)
		if err := kube.Get(ctx, key, values); err != nil {
			return false, client.IgnoreNotFound(err)
		}
		err := kube.Get(ctx, key, object)
		return titleOf(object) == "Alpha", err
	})
}

func eventsTell(t *testing.T, kube client.Client, name string) {
	t.Helper()
	eventually(t, "an event tells of the board", func(ctx context.Context) (bool, error) {
		found := &corev1.EventList{}
		err := kube.List(ctx, found, client.InNamespace(namespace), client.MatchingFields{"involvedObject.name": name, "involvedObject.kind": "Board"})
		return len(found.Items) > 0 && found.Items[0].Reason == "Kept", err
	})
}

func TestTypedStructsOfCustomKindsAreAppliedAndChecked(t *testing.T) {
	kube := installBoards(t)
	apply := func(owner, title string, more ...client.PatchOption) (*Board, error) {
		object := board("applied", title, "red")
		object.TypeMeta = metav1.TypeMeta{APIVersion: boardVersion.String(), Kind: "Board"}
		//nolint:staticcheck // Many controllers still apply their structs in this way.
		err := kube.Patch(t.Context(), object, client.Apply, append(more, client.FieldOwner(owner))...)
		return object, err
	}
	made, err := apply("one", "First")
	if err != nil || made.Spec.Replicas == nil || *made.Spec.Replicas != 1 || made.Generation != 1 {
		t.Fatalf("%v: %v", err, made)
	}
	if again, err := apply("one", "First"); err != nil || again.ResourceVersion != made.ResourceVersion {
		t.Fatalf("%v: %v", err, again)
	}
	if _, err := apply("two", "Second"); !apierrors.IsConflict(err) || !strings.Contains(err.Error(), ".spec.title") {
		t.Fatalf("%v", err)
	}
	if forced, err := apply("two", "Second", client.ForceOwnership); err != nil || forced.Spec.Title != "Second" || forced.Generation != 2 {
		t.Fatalf("%v: %v", err, forced)
	}
	isRefused := func(what string, err error) {
		t.Helper()
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), what) {
			t.Fatalf("%v does not say %q", err, what)
		}
	}
	moved := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"team":"blue"}}`))
	isRefused("a board stays with its team", kube.Patch(t.Context(), board("applied", "", ""), moved))
	many := int32(6)
	big := board("big", "Big", "red")
	big.Spec.Replicas = &many
	isRefused("at most five replicas", kube.Create(t.Context(), big))
	if err := kube.Create(t.Context(), board("dry", "Dry", "red"), client.DryRunAll); err != nil {
		t.Fatal(err)
	}
	if err := kube.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "dry"}, &Board{}); !apierrors.IsNotFound(err) {
		t.Fatalf("%v", err)
	}
	scales(t, kube)
	unknown := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"title": "Odd", "colour": "red"}}}
	unknown.SetGroupVersionKind(boardVersion.WithKind("Board"))
	unknown.SetNamespace(namespace)
	unknown.SetName("odd")
	strict := client.WithFieldValidation(kube, metav1.FieldValidationStrict)
	if err := strict.Create(t.Context(), unknown); !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), `unknown field "spec.colour"`) {
		t.Fatalf("%v", err)
	}
}

// scales writes by the subresource scale, which changes nothing else.
func scales(t *testing.T, kube client.Client) {
	t.Helper()
	object := board("applied", "", "")
	scale := &autoscalingv1.Scale{}
	if err := kube.SubResource("scale").Get(t.Context(), object, scale); err != nil || scale.Spec.Replicas != 1 {
		t.Fatalf("%v: %v", err, scale)
	}
	scale.Spec.Replicas = 3
	if err := kube.SubResource("scale").Update(t.Context(), object, client.WithSubResourceBody(scale)); err != nil {
		t.Fatal(err)
	}
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil || *object.Spec.Replicas != 3 || object.Spec.Title != "Second" {
		t.Fatalf("%v: %v", err, object)
	}
}
