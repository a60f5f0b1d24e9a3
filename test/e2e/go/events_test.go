package clients

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func reference(name string) *corev1.ObjectReference {
	return &corev1.ObjectReference{
		APIVersion: "folder.svc.app/v1beta1", Kind: "Folder", Namespace: namespace, Name: name,
	}
}

// eventAbout waits for the one event about a folder that fits.
func eventAbout(t *testing.T, name string, fits func(corev1.Event) bool) corev1.Event {
	t.Helper()
	var found corev1.Event
	selector := metav1.ListOptions{FieldSelector: "involvedObject.name=" + name}
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, 10*time.Second, true,
		func(ctx context.Context) (bool, error) {
			list, err := clientsetOf(t).CoreV1().Events(namespace).List(ctx, selector)
			if err != nil || len(list.Items) != 1 {
				return false, err
			}
			found = list.Items[0]
			return fits(found), nil
		})
	if err != nil {
		t.Fatalf("%v; the last event was %+v", err, found)
	}
	return found
}

func TestRecorderCountsWhatHappensAgain(t *testing.T) {
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	sink := &typedcore.EventSinkImpl{Interface: clientsetOf(t).CoreV1().Events("")}
	broadcaster.StartRecordingToSink(sink)
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "e2e"})
	for range 3 {
		recorder.Event(reference("recorded"), corev1.EventTypeNormal, "Synced", "the folder is as it should be")
	}
	event := eventAbout(t, "recorded", func(event corev1.Event) bool { return event.Count == 3 })
	if event.Message != "the folder is as it should be" || event.LastTimestamp.IsZero() {
		t.Fatalf("the event is %+v", event)
	}
}

func TestNewRecorderWritesTheSameEvents(t *testing.T) {
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: clientsetOf(t).EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "e2e.example.com/controller")
	happens := func() {
		recorder.Eventf(reference("new"), nil, corev1.EventTypeWarning, "Drifted", "Sync", "the folder is %s", "another")
	}
	happens()
	// The recorder sends each event on its own, so the series could arrive before the event that it counts.
	eventAbout(t, "new", func(corev1.Event) bool { return true })
	happens()
	event := eventAbout(t, "new", func(event corev1.Event) bool { return event.Series != nil })
	if event.Message != "the folder is another" || event.ReportingController != "e2e.example.com/controller" || event.EventTime.IsZero() {
		t.Fatalf("the event is %+v", event)
	}
}
