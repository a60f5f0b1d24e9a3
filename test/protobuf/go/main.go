// The reference of Kubernetes' protobuf: its own types and encoders.
//
//	descriptors            prints the messages of the kinds that the server has, for pkg/kube/protobuf/descriptors.json
//	random SEED NUMBER     prints objects of random kinds and values: base64 of the protobuf, a tab, and the JSON
//	decode                 reads lines of base64, and prints the JSON of each object, or `error` and why it is none
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, group := range kinds {
		scheme.AddKnownTypes(group.version, group.objects...)
	}
	return scheme
}

func main() {
	scheme := newScheme()
	serializer := protobuf.NewSerializer(scheme, scheme)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch os.Args[1] {
	case "descriptors":
		text, err := json.MarshalIndent(describe(), "", " ")
		check(err)
		fmt.Fprintf(out, "%s\n", text)
	case "random":
		seed, err := strconv.ParseInt(os.Args[2], 10, 64)
		check(err)
		number, err := strconv.Atoi(os.Args[3])
		check(err)
		for _, object := range randomObjects(seed, number) {
			var wire bytes.Buffer
			check(serializer.Encode(object, &wire))
			text, err := json.Marshal(object)
			check(err)
			fmt.Fprintf(out, "%s\t%s\n", base64.StdEncoding.EncodeToString(wire.Bytes()), text)
		}
	case "decode":
		lines := bufio.NewScanner(os.Stdin)
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			text, err := decode(serializer, lines.Text())
			if err != nil {
				text = []byte("error " + strconv.Quote(err.Error()))
			}
			fmt.Fprintf(out, "%s\n", text)
		}
	}
}

func decode(serializer runtime.Serializer, line string) ([]byte, error) {
	wire, err := base64.StdEncoding.DecodeString(line)
	if err != nil {
		return nil, err
	}
	object, kind, err := serializer.Decode(wire, nil, nil)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	return json.Marshal(object)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
