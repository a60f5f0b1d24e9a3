import { get } from '../../lib/api.js';
import { pathOf } from '../../lib/discovery.js';
import { useLater } from '../../lib/later.js';
import { useLoad } from '../../lib/load.js';
import type { KubeList } from '../../lib/object.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { confirm } from '../../ui/confirm.js';
import { CheckField, TextField } from '../../ui/field.js';
import { Failure, Notice, Skeleton } from '../../ui/states.js';
import { draft, edit, isKept, settled } from './draft.js';
import { type ApplySet, setsResource } from './sets.js';

const SAMPLE = `apiVersion: folder.…/v1beta1
kind: Folder
metadata:
  name: operations
spec:
  title: Operations
---
apiVersion: …`;

/** The form of the plan: the set, the manifests and the options. */
export function PlanForm({ onPlan }: { readonly onPlan: () => Promise<void> }) {
  const { set, text, prune, force } = draft.value;
  const create = useMay('create', setsResource(), { namespace: namespace.value });
  const change = useMay('update', setsResource(), { namespace: namespace.value });
  // A caller who may only update sets can still apply to existing ones.
  const refused = create.allowed === false && change.allowed === false ? create.unavailable : undefined;
  const unavailable =
    refused ?? (set.trim() === '' ? 'Name a set first.' : text.trim() === '' ? 'Paste manifests first.' : undefined);
  return (
    <form class="stack plan-form" aria-label="Plan" onSubmit={(event) => event.preventDefault()}>
      {refused !== undefined && <Notice>You cannot apply manifests here. {refused}</Notice>}
      <TextField
        label="Set"
        hint="The objects become members of this set. A new name makes a new set."
        value={set}
        list="plan-sets"
        onValue={(value) => edit({ set: value.trim() })}
      />
      <SetNames />
      <div class="plan-text">
        <Manifests />
        <label class="button plan-files">
          Add files
          <input type="file" class="sr-only" multiple accept=".yaml,.yml,.json" onChange={addFiles} />
        </label>
      </div>
      <div class="plan-switches">
        <CheckField
          label="Prune"
          hint="Deletes members of the set that the text leaves out."
          checked={prune}
          onChecked={(checked) => edit({ prune: checked })}
        />
        <CheckField
          label="Force"
          hint="Takes over fields that other managers own, instead of a conflict."
          checked={force}
          onChecked={(checked) => edit({ force: checked })}
        />
      </div>
      <div class="row">
        <Button look="primary" unavailable={unavailable} onPress={onPlan}>
          Plan
        </Button>
        {text !== '' && <Button onPress={clear}>Clear the text</Button>}
      </div>
    </form>
  );
}

/** The editor. It is loaded with its YAML parser when the page is shown. */
function Manifests() {
  const { state, reload } = useLater(async () => (await import('./manifest-editor.js')).ManifestEditor);
  const { phase, value: ManifestEditor, error } = state.value;
  return (
    <div class="stack tight">
      <p class="plan-label" aria-hidden="true">
        Manifests
      </p>
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {phase === 'loading' && (
        <div class="editor plan-waiting">
          <Skeleton rows={8} label="Loading the editor" />
        </div>
      )}
      {ManifestEditor !== undefined && <ManifestEditor label="Manifests" sample={SAMPLE} />}
      <p class="hint">
        YAML of several documents, lists, or JSON. The draft stays in this tab. Escape, then Tab, leaves the editor.
      </p>
      {!isKept.value && (
        <Notice look="warn">
          <p>The browser has no room to keep this text for you. If you close the page, it is lost.</p>
        </Notice>
      )}
    </div>
  );
}

/** Clears the text, after a question. */
async function clear(): Promise<void> {
  const asked = { title: 'Clear the text?', text: 'The manifests are removed from the plan.', action: 'Clear' };
  if (await confirm({ ...asked, isDangerous: true })) {
    settled();
    edit({ text: '' });
  }
}

async function addFiles(event: { readonly currentTarget: HTMLInputElement }): Promise<void> {
  const { currentTarget: input } = event;
  const texts = await Promise.all([...(input.files ?? [])].map((file) => file.text()));
  const before = settled().text.trimEnd();
  edit({ text: [...(before === '' ? [] : [before]), ...texts].join('\n---\n') });
  input.value = '';
}

/** The names of existing sets, to choose from. */
function SetNames() {
  const resource = setsResource();
  const { state } = useLoad(async () => {
    if (resource === undefined) return [];
    const { items } = await get<KubeList<ApplySet>>(pathOf(resource, namespace.value), { limit: 200 });
    return items.map(({ metadata }) => metadata.name);
  }, [namespace.value]);
  return (
    <datalist id="plan-sets">
      {(state.value.value ?? []).map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
