// The reference of the differential test: Kubernetes' own strategic merge patches. It reads one case on each line, and answers with what an API
// server makes of the patch. If the case has manifests and no patch, the patch is the one that kubectl apply makes of them.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type patchCase struct {
	Live     json.RawMessage `json:"live"`
	Patch    json.RawMessage `json:"patch"`
	Applied  json.RawMessage `json:"applied"`
	Manifest json.RawMessage `json:"manifest"`
}

type answer struct {
	Patch  json.RawMessage `json:"patch"`
	Result interface{}     `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var c patchCase
		must(json.Unmarshal(line, &c))
		if c.Patch == nil {
			schema, err := strategicpatch.NewPatchMetaFromStruct(&corev1.ConfigMap{})
			must(err)
			c.Patch, err = strategicpatch.CreateThreeWayMergePatch(c.Applied, c.Manifest, c.Live, schema, true)
			must(err)
		}
		result, err := patched(c)
		if err != nil {
			must(out.Encode(answer{Patch: c.Patch, Error: err.Error()}))
			continue
		}
		must(out.Encode(answer{Patch: c.Patch, Result: result}))
	}
}

// As in the PATCH handler of an API server.
func patched(c patchCase) (*corev1.ConfigMap, error) {
	var live, result corev1.ConfigMap
	must(json.Unmarshal(c.Live, &live))
	members, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&live)
	must(err)
	var patch map[string]interface{}
	must(json.Unmarshal(c.Patch, &patch))
	next, err := strategicpatch.StrategicMergeMapPatch(members, patch, &corev1.ConfigMap{})
	if err != nil {
		return nil, err
	}
	return &result, runtime.DefaultUnstructuredConverter.FromUnstructured(next, &result)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
