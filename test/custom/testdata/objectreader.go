// Package storage reads and writes what the server has stored, where Kubernetes' suite for custom resources looks into etcd. The tests serve it at STORE.
package storage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage/storagebackend"
)

// EtcdObjectReader gives access to the stored objects of a definition.
type EtcdObjectReader struct {
	crd *apiextensionsv1.CustomResourceDefinition
}

// NewEtcdObjectReader has no use for a client of etcd.
func NewEtcdObjectReader(_ *clientv3.Client, _ *generic.RESTOptions, crd *apiextensionsv1.CustomResourceDefinition) *EtcdObjectReader {
	return &EtcdObjectReader{crd}
}

// GetEtcdClients returns a client that is not connected. The tests only close it.
func GetEtcdClients(storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"127.0.0.1:1"}})
	return client, nil, err
}

// WaitForStorageVersion updates an object until it is stored in a version.
func (s *EtcdObjectReader) WaitForStorageVersion(version string, namespace, name string, timeout time.Duration, update func()) error {
	for end := time.Now().Add(timeout); ; update() {
		stored, err := s.GetStoredCustomResource(namespace, name)
		if err != nil {
			return err
		}
		if stored.GroupVersionKind().Version == version {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s is stored as %s, not as %s", name, stored.GetAPIVersion(), version)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// GetStoredCustomResource returns an object as it is stored.
func (s *EtcdObjectReader) GetStoredCustomResource(namespace, name string) (*unstructured.Unstructured, error) {
	text, err := call(http.MethodGet, path.Join(s.crd.Name, namespace, name), nil)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	return object, json.Unmarshal(text, object)
}

// SetStoredCustomResource stores an object as it is.
func (s *EtcdObjectReader) SetStoredCustomResource(namespace, name string, object *unstructured.Unstructured) error {
	text, err := object.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = call(http.MethodPut, path.Join(s.crd.Name, namespace, name), text)
	return err
}

// SetStoredCustomResourceDefinition stores a definition as it is.
func (s *EtcdObjectReader) SetStoredCustomResourceDefinition(name string, crd *apiextensionsv1.CustomResourceDefinition) error {
	text, err := json.Marshal(crd)
	if err != nil {
		return err
	}
	_, err = call(http.MethodPut, path.Join("customresourcedefinitions.apiextensions.k8s.io", name), text)
	return err
}

func call(method, at string, body []byte) ([]byte, error) {
	request, err := http.NewRequest(method, os.Getenv("STORE")+"/"+at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s", method, at, text)
	}
	return text, err
}
