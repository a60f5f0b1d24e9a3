import queue
import unittest

from kubernetes import client, watch

from shared import EXPIRED, FOLDERS, NAMESPACE, create, custom, name_of, revision, selector

try:
    from kubernetes import informer
except ImportError:
    informer = None


class Watches(unittest.TestCase):
    def test_watch_sends_every_change_in_order(self):
        start = revision()
        create("watched", test="watch")
        custom.patch_namespaced_custom_object(**FOLDERS, name=name_of("watched"), body={"spec": {"title": "Two"}})
        custom.delete_namespaced_custom_object(**FOLDERS, name=name_of("watched"))
        seen = []
        options = dict(label_selector=selector("watch"), resource_version=start, timeout_seconds=20)
        for event in watch.Watch().stream(custom.list_namespaced_custom_object, **FOLDERS, **options):
            seen.append((event["type"], event["object"]["spec"]["title"]))
            if event["type"] == "DELETED":
                break
        self.assertEqual(seen, [("ADDED", "A title"), ("MODIFIED", "Two"), ("DELETED", "Two")])

    def test_watch_starts_with_what_exists_and_ends_after_its_time(self):
        create("existing", test="existing")
        options = dict(label_selector=selector("existing"), timeout_seconds=1)
        events = list(watch.Watch().stream(custom.list_namespaced_custom_object, **FOLDERS, **options))
        self.assertEqual([(event["type"], event["object"]["metadata"]["name"]) for event in events],
                         [("ADDED", name_of("existing"))])

    def test_watch_of_a_built_in_kind_has_typed_objects(self):
        core = client.CoreV1Api()
        for event in watch.Watch().stream(core.list_namespace, timeout_seconds=20):
            if event["object"].metadata.name == "default":
                break
        self.assertIsInstance(event["object"], client.V1Namespace)

    def test_watch_from_an_expired_revision_raises_410(self):
        stream = watch.Watch().stream(custom.list_namespaced_custom_object, **FOLDERS, resource_version=EXPIRED)
        with self.assertRaises(client.ApiException) as raised:
            next(stream)
        self.assertEqual(raised.exception.status, 410)

    @unittest.skipIf(informer is None, "this version has no informers")
    def test_informer_lists_again_after_410_and_follows(self):
        leases = client.CoordinationV1Api()
        lease = client.V1Lease(metadata=client.V1ObjectMeta(name=name_of("informed"), labels={"test": name_of("informed")}))
        leases.create_namespaced_lease(NAMESPACE, lease)
        changed = queue.Queue()
        subject = informer.SharedInformer(
            leases.list_namespaced_lease, namespace=NAMESPACE, label_selector=selector("informed"))
        # The informer continues from an expired revision.
        subject._resource_version = EXPIRED
        for event in ("ADDED", "MODIFIED"):
            subject.add_event_handler(event, lambda lease, event=event: changed.put((event, lease.spec.holder_identity)))
        subject.start()
        try:
            self.assertEqual(changed.get(timeout=20), ("ADDED", None))
            leases.patch_namespaced_lease(name_of("informed"), NAMESPACE, [
                {"op": "add", "path": "/spec/holderIdentity", "value": "one"}])
            self.assertEqual(changed.get(timeout=20), ("MODIFIED", "one"))
            self.assertEqual([lease.spec.holder_identity for lease in subject.cache.list()], ["one"])
        finally:
            subject.stop()
