import unittest

from kubernetes import client, dynamic
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError

from shared import NAMESPACE, folder, name_of, selector


class Dynamic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = dynamic.DynamicClient(client.ApiClient())
        cls.folders = cls.client.resources.get(api_version="folder.svc.app/v1beta1", kind="Folder")

    def test_dynamic_client_finds_every_resource_in_discovery(self):
        self.assertTrue(self.folders.namespaced)
        found = self.client.resources.search(kind="Folder")
        self.assertIn("folders", [resource.name for resource in found])
        self.assertEqual(self.client.resources.get(api_version="v1", kind="Namespace").name, "namespaces")

    def test_dynamic_client_reads_and_writes(self):
        name = name_of("dynamic")
        self.folders.create(body=folder("dynamic", test="dynamic"), namespace=NAMESPACE)
        listed = self.folders.get(namespace=NAMESPACE, label_selector=selector("dynamic"))
        self.assertEqual([item.metadata.name for item in listed.items], [name])
        merge = dict(namespace=NAMESPACE, content_type="application/merge-patch+json")
        patched = self.folders.patch(body=folder("dynamic", title="Two", test="dynamic"), **merge)
        self.assertEqual(patched.spec.title, "Two")
        changed = patched.to_dict()
        changed["spec"]["title"] = "Three"
        self.assertEqual(self.folders.replace(body=changed, namespace=NAMESPACE).spec.title, "Three")
        self.folders.delete(name=name, namespace=NAMESPACE)
        with self.assertRaises(NotFoundError):
            self.folders.get(name=name, namespace=NAMESPACE)

    def test_dynamic_client_watches(self):
        created = self.folders.create(body=folder("dynamic-watch", test="dynamic-watch"), namespace=NAMESPACE)
        options = dict(namespace=NAMESPACE, name=created.metadata.name, timeout=20)
        for event in self.folders.watch(**options):
            self.assertEqual((event["type"], event["object"].metadata.uid), ("ADDED", created.metadata.uid))
            break

    def test_dynamic_client_sends_json_patches(self):
        self.folders.create(body=folder("dynamic-json"), namespace=NAMESPACE)
        operations = [{"op": "test", "path": "/spec/title", "value": "A title"},
                      {"op": "add", "path": "/metadata/labels/more", "value": "1"}]
        # The client serializes objects only.
        patched = self.client.request("patch", self.folders.path(name=name_of("dynamic-json"), namespace=NAMESPACE),
                                      body=operations, content_type="application/json-patch+json")
        self.assertEqual(patched.metadata.labels.more, "1")

    def test_dynamic_client_applies_and_learns_of_conflicts(self):
        body = folder("dynamic-apply", title="One")
        apply = dict(namespace=NAMESPACE, field_manager="one")
        first = self.folders.server_side_apply(body=body, **apply)
        self.assertEqual([entry.manager for entry in first.metadata.managedFields], ["one"])
        again = self.folders.server_side_apply(body=body, **apply)
        self.assertEqual(again.metadata.resourceVersion, first.metadata.resourceVersion)
        other = dict(body, spec={"title": "Two"})
        with self.assertRaises(ConflictError) as raised:
            self.folders.server_side_apply(body=other, namespace=NAMESPACE, field_manager="two")
        self.assertIn('conflict with "one": .spec.title', raised.exception.summary())
        forced = self.folders.server_side_apply(body=other, namespace=NAMESPACE, field_manager="two", force_conflicts=True)
        self.assertEqual(forced.spec.title, "Two")

    def test_dynamic_client_applies_less_and_tries_what_would_happen(self):
        more = folder("dynamic-less")
        more["spec"]["description"] = "more"
        apply = dict(namespace=NAMESPACE, field_manager="one")
        self.folders.server_side_apply(body=more, **apply)
        tried = self.folders.server_side_apply(body=folder("dynamic-less"), dry_run="All", **apply)
        self.assertEqual(tried.spec.to_dict(), {"title": "A title"})
        read = self.folders.get(name=name_of("dynamic-less"), namespace=NAMESPACE)
        self.assertEqual(read.spec.description, "more")
        changed = self.folders.server_side_apply(body=folder("dynamic-less"), **apply)
        self.assertEqual(changed.spec.to_dict(), {"title": "A title"})

    def test_dynamic_client_applies_leases_and_events_of_both_groups(self):
        lease = {"spec": {"holderIdentity": "one"}}
        about = {"kind": "Folder", "namespace": NAMESPACE, "name": "x"}
        for version, kind, body, member in [
            ("coordination.k8s.io/v1", "Lease", lease, "spec"),
            ("v1", "Event", {"involvedObject": about, "message": "Applied"}, "message"),
            ("events.k8s.io/v1", "Event", {"regarding": about, "note": "Applied"}, "note"),
        ]:
            named = {"apiVersion": version, "kind": kind, "metadata": {"name": name_of("applied-" + member)}, **body}
            resource = self.client.resources.get(api_version=version, kind=kind)
            applied = resource.server_side_apply(body=named, namespace=NAMESPACE, field_manager="one").to_dict()
            self.assertEqual(applied[member], body[member])
