import unittest

from kubernetes import client, utils

from shared import FOLDERS, create, custom, folder, name_of, selector


class CustomObjects(unittest.TestCase):
    def test_custom_objects_are_created_read_replaced_and_deleted(self):
        created = create("written")
        read = custom.get_namespaced_custom_object(**FOLDERS, name=name_of("written"))
        self.assertEqual(read, created)
        read["spec"]["title"] = "Two"
        replaced = custom.replace_namespaced_custom_object(**FOLDERS, name=name_of("written"), body=read)
        self.assertEqual((replaced["spec"]["title"], replaced["metadata"]["generation"]), ("Two", 2))
        body = client.V1DeleteOptions(propagation_policy="Foreground")
        answer = custom.delete_namespaced_custom_object(**FOLDERS, name=name_of("written"), body=body)
        # Folders have the conventions of plain HTTP callers: the answer is the deleted object.
        self.assertEqual(answer["metadata"]["uid"], created["metadata"]["uid"])
        with self.assertRaises(client.ApiException) as raised:
            custom.get_namespaced_custom_object(**FOLDERS, name=name_of("written"))
        self.assertEqual((raised.exception.status, raised.exception.reason), (404, "Not Found"))

    def test_custom_objects_are_patched(self):
        create("patched")
        where = dict(**FOLDERS, name=name_of("patched"))
        merged = custom.patch_namespaced_custom_object(**where, body={"spec": {"description": "merged"}})
        self.assertEqual(merged["spec"], {"title": "A title", "description": "merged"})
        removed = custom.patch_namespaced_custom_object(**where, body={"spec": {"description": None}})
        self.assertEqual(removed["spec"], {"title": "A title"})

    def test_custom_objects_are_listed_in_pages_and_deleted_together(self):
        for i in range(5):
            create(f"page-{i}", test="pages")
        names, token = [], None
        while token != "":
            more = {} if token is None else {"_continue": token}
            page = custom.list_namespaced_custom_object(**FOLDERS, label_selector=selector("pages"), limit=2, **more)
            names += [item["metadata"]["name"] for item in page["items"]]
            token = page["metadata"].get("continue", "")
        self.assertEqual(names, [name_of(f"page-{i}") for i in range(5)])
        custom.delete_collection_namespaced_custom_object(**FOLDERS, label_selector=selector("pages"))
        left = custom.list_namespaced_custom_object(**FOLDERS, label_selector=selector("pages"))
        self.assertEqual(left["items"], [])

    def test_a_stale_write_is_refused_as_a_conflict_and_a_wrong_one_names_its_field(self):
        stale = create("stale")
        custom.patch_namespaced_custom_object(**FOLDERS, name=name_of("stale"), body={"spec": {"title": "Two"}})
        with self.assertRaises(client.ApiException) as raised:
            custom.replace_namespaced_custom_object(**FOLDERS, name=name_of("stale"), body=stale)
        # By the same conventions, a conflict is 412.
        self.assertEqual(raised.exception.status, 412)
        self.assertIn('"reason":"Conflict"', raised.exception.body.replace(" ", ""))
        with self.assertRaises(client.ApiException) as raised:
            custom.patch_namespaced_custom_object(**FOLDERS, name=name_of("stale"), body={"spec": {"title": 1}})
        self.assertIn("spec.title", raised.exception.body)

    def test_create_from_dict_creates_built_in_kinds(self):
        namespace = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": name_of("from-dict"), "namespace": "default"},
                     "involvedObject": {"kind": "Folder", "namespace": "default", "name": "x"}, "reason": "Tested"}
        [created] = utils.create_from_dict(client.ApiClient(), namespace)
        self.assertEqual(created.reason, "Tested")
