package main

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The kinds of Kubernetes that the server has, by group and version.
var kinds = []struct {
	version schema.GroupVersion
	objects []runtime.Object
}{
	{schema.GroupVersion{Version: "v1"}, []runtime.Object{
		&corev1.Namespace{}, &corev1.NamespaceList{}, &corev1.Secret{}, &corev1.SecretList{}, &corev1.ConfigMap{}, &corev1.ConfigMapList{},
		&corev1.Event{}, &corev1.EventList{}, &corev1.Service{}, &corev1.ServiceList{}, &metav1.Status{}, &metav1.DeleteOptions{},
	}},
	{apiextensionsv1.SchemeGroupVersion, []runtime.Object{&apiextensionsv1.CustomResourceDefinition{}, &apiextensionsv1.CustomResourceDefinitionList{}}},
	{authenticationv1.SchemeGroupVersion, []runtime.Object{&authenticationv1.TokenReview{}, &authenticationv1.TokenRequest{}, &authenticationv1.SelfSubjectReview{}}},
	{authorizationv1.SchemeGroupVersion, []runtime.Object{
		&authorizationv1.SelfSubjectAccessReview{}, &authorizationv1.SubjectAccessReview{}, &authorizationv1.LocalSubjectAccessReview{}, &authorizationv1.SelfSubjectRulesReview{},
	}},
	{autoscalingv1.SchemeGroupVersion, []runtime.Object{&autoscalingv1.Scale{}}},
	{coordinationv1.SchemeGroupVersion, []runtime.Object{&coordinationv1.Lease{}, &coordinationv1.LeaseList{}}},
	{eventsv1.SchemeGroupVersion, []runtime.Object{&eventsv1.Event{}, &eventsv1.EventList{}}},
	{metav1.SchemeGroupVersion, []runtime.Object{&metav1.PartialObjectMetadata{}, &metav1.PartialObjectMetadataList{}}},
	{metav1beta1.SchemeGroupVersion, []runtime.Object{&metav1.PartialObjectMetadata{}, &metav1beta1.PartialObjectMetadataList{}}},
}
