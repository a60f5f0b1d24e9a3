"""What the tests share: a client of the administrator, and folders whose names no other run uses."""

import os

from kubernetes import client, config

NAMESPACE = "default"
GROUP, VERSION, PLURAL = "folder.svc.app", "v1beta1", "folders"
# A resourceVersion that the server no longer has.
EXPIRED = os.environ.get("EXPIRED", "1")
_PREFIX = os.environ.get("PREFIX", "py")

config.load_kube_config()
custom = client.CustomObjectsApi()
# The place of the folders, for calls of `custom`.
FOLDERS = dict(group=GROUP, version=VERSION, namespace=NAMESPACE, plural=PLURAL)


def name_of(name):
    return f"{_PREFIX}-{name}"


def selector(test):
    return f"test={name_of(test)}"


def folder(name, title="A title", test="none", **metadata):
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "Folder",
        "metadata": {"name": name_of(name), "labels": {"test": name_of(test)}, **metadata},
        "spec": {"title": title},
    }


def create(name, **options):
    return custom.create_namespaced_custom_object(**FOLDERS, body=folder(name, **options))


def revision():
    return custom.list_namespaced_custom_object(**FOLDERS)["metadata"]["resourceVersion"]
