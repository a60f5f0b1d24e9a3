package clients

import (
	"io"
	"log"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// helmOf makes the configuration of Helm's commands. It keeps releases in Secrets.
func helmOf(t *testing.T) *action.Configuration {
	t.Helper()
	configOf(t)
	flags := genericclioptions.NewConfigFlags(true)
	space := namespace
	flags.Namespace = &space
	configuration := new(action.Configuration)
	silent := log.New(io.Discard, "", 0)
	if err := configuration.Init(flags, namespace, "secret", silent.Printf); err != nil {
		t.Fatal(err)
	}
	return configuration
}

func chartOf(title string) *chart.Chart {
	tree := strings.Replace(worstTreeOf("helm-tree"), "title: helm-tree", "title: "+title, 1)
	return &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: "v2", Name: "tree", Version: "0.1.0"},
		Templates: []*chart.File{{Name: "templates/tree.yaml", Data: []byte(tree)}},
	}
}

// Helm takes the RoleBinding for one of Kubernetes, and installs it before the objects that it names.
func TestHelmInstallsUpgradesRollsBackAndUninstallsATree(t *testing.T) {
	configuration := helmOf(t)
	install := action.NewInstall(configuration)
	install.ReleaseName, install.Namespace = "tree", namespace
	if _, err := install.RunWithContext(t.Context(), chartOf("one"), nil); err != nil {
		t.Fatal(err)
	}
	upgrade := action.NewUpgrade(configuration)
	upgrade.Namespace = namespace
	if _, err := upgrade.RunWithContext(t.Context(), "tree", chartOf("two"), nil); err != nil {
		t.Fatal(err)
	}
	rollback := action.NewRollback(configuration)
	rollback.Version = 1
	if err := rollback.Run("tree"); err != nil {
		t.Fatal(err)
	}
	history, err := action.NewHistory(configuration).Run("tree")
	if err != nil || len(history) != 3 {
		t.Fatalf("%v: the history has %d releases", err, len(history))
	}
	release, err := action.NewGet(configuration).Run("tree")
	if err != nil || !strings.Contains(release.Manifest, "title: one") {
		t.Fatalf("%v: the release is %v", err, release)
	}
	if _, err := action.NewUninstall(configuration).Run("tree"); err != nil {
		t.Fatal(err)
	}
}
