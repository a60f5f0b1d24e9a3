import datetime
import threading
import unittest

from kubernetes import client

from shared import name_of

try:
    from kubernetes.leaderelection import electionconfig, leaderelection
    from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock
except ImportError:
    LeaseLock = None


def attributes(**more):
    return client.V1ResourceAttributes(group="folder.svc.app", resource="folders", verb="create", namespace="default", **more)


class BuiltIn(unittest.TestCase):
    def test_reviews_tell_what_the_caller_may_do(self):
        api = client.AuthorizationV1Api()
        spec = client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes())
        review = api.create_self_subject_access_review(client.V1SelfSubjectAccessReview(spec=spec))
        self.assertTrue(review.status.allowed)
        rules = client.V1SelfSubjectRulesReview(spec=client.V1SelfSubjectRulesReviewSpec(namespace="default"))
        self.assertTrue(api.create_self_subject_rules_review(rules).status.resource_rules)

    def test_reviews_tell_what_somebody_else_may_do(self):
        api = client.AuthorizationV1Api()
        spec = client.V1SubjectAccessReviewSpec(user="nobody", resource_attributes=attributes())
        self.assertFalse(api.create_subject_access_review(client.V1SubjectAccessReview(spec=spec)).status.allowed)
        local = client.V1LocalSubjectAccessReview(metadata=client.V1ObjectMeta(namespace="default"), spec=spec)
        self.assertFalse(api.create_namespaced_local_subject_access_review("default", local).status.allowed)

    def test_reviews_tell_who_the_caller_is(self):
        api = client.AuthenticationV1Api()
        who = api.create_self_subject_review(client.V1SelfSubjectReview())
        self.assertEqual(who.status.user_info.username, "system:admin")
        wrong = client.V1TokenReview(spec=client.V1TokenReviewSpec(token="wrong"))
        self.assertFalse(api.create_token_review(wrong).status.authenticated)

    def test_discovery_and_version_are_read(self):
        groups = [group.name for group in client.ApisApi().get_api_versions().groups]
        self.assertIn("folder.svc.app", groups)
        self.assertIn("v1", client.CoreApi().get_api_versions().versions)
        self.assertEqual(client.VersionApi().get_code().major, "1")
        self.assertIn("default", [item.metadata.name for item in client.CoreV1Api().list_namespace().items])

    def test_events_of_both_groups_are_one(self):
        # Neither client can read an event without this time in events.k8s.io/v1.
        time = datetime.datetime.now(datetime.timezone.utc)
        body = client.CoreV1Event(
            metadata=client.V1ObjectMeta(name=name_of("event")), reason="Tested", message="It works", event_time=time,
            involved_object=client.V1ObjectReference(kind="Folder", namespace="default", name=name_of("event")))
        client.CoreV1Api().create_namespaced_event("default", body)
        event = client.EventsV1Api().read_namespaced_event(name_of("event"), "default")
        self.assertEqual((event.reason, event.note), ("Tested", "It works"))

    @unittest.skipIf(LeaseLock is None, "this version has no election by leases")
    def test_leader_election_by_leases(self):
        led = threading.Event()

        def lead():
            led.set()

        lock = LeaseLock(name_of("election"), "default", "one")
        settings = electionconfig.Config(lock, lease_duration=5, renew_deadline=3, retry_period=1,
                                         onstarted_leading=lead, onstopped_leading=None)
        threading.Thread(target=leaderelection.LeaderElection(settings).run, daemon=True).start()
        self.assertTrue(led.wait(20))
        held = client.CoordinationV1Api().read_namespaced_lease(name_of("election"), "default")
        self.assertEqual(held.spec.holder_identity, "one")
