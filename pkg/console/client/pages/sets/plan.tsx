import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { places } from '../../app/places.js';
import { get } from '../../lib/api.js';
import { pathOf } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeList } from '../../lib/object.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { CheckField, TextArea, TextField } from '../../ui/field.js';
import { Notice } from '../../ui/states.js';
import { apply, type Outcome } from './apply.js';
import { type Draft, draft, edit } from './draft.js';
import { Refusal } from './refusal.js';
import { type ApplySet, setsResource } from './sets.js';
import { ShownPlan } from './shown-plan.js';
import './style.css';

/** A plan, with what was planned: another text needs another plan. */
interface Result {
  readonly outcome?: Outcome;
  readonly error?: unknown;
  readonly of: Draft;
  readonly in: string;
}

const SAMPLE = `apiVersion: folder.…/v1beta1
kind: Folder
metadata:
  name: operations
spec:
  title: Operations
---
apiVersion: …`;

/** Manifests are pasted, planned by the server without a change, and applied in one commit. */
export function PlanPage() {
  const search = useSearch();
  const result = useSignal<Result | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result.value !== undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, [result.value]);
  useEffect(() => {
    const set = new URLSearchParams(search).get('set');
    if (set !== null && set !== '') edit({ set });
  }, [search]);
  const run = async (isDryRun: boolean): Promise<void> => {
    const [of, where] = [draft.peek(), namespace.peek()];
    try {
      const { manifestsIn } = await import('./manifests.js');
      const { manifests, problem } = manifestsIn(of.text);
      if (problem !== undefined) throw new Error(problem);
      const outcome = await apply({ ...of, manifests, namespace: where, isDryRun });
      result.value = { outcome, of, in: where };
    } catch (error) {
      result.value = { error, of, in: where };
    }
  };
  return (
    <div class="page plan">
      <div class="stack tight">
        <h1>Plan</h1>
        <p class="muted">Paste manifests, see what they would change, and apply all of them in one commit, or none.</p>
      </div>
      <div class="plan-columns">
        <Form onPlan={() => run(true)} />
        <div ref={place} class="stack plan-result" aria-live="polite">
          {result.value !== undefined && <Shown result={result.value} onApply={() => run(false)} />}
        </div>
      </div>
    </div>
  );
}

function Form({ onPlan }: { readonly onPlan: () => Promise<void> }) {
  const { set, text, prune, force } = draft.value;
  const create = useMay('create', setsResource(), { namespace: namespace.value });
  const change = useMay('update', setsResource(), { namespace: namespace.value });
  // Who may only change sets applies to those that there are.
  const refused = create.allowed === false && change.allowed === false ? create.unavailable : undefined;
  const unavailable =
    refused ?? (set.trim() === '' ? 'Name a set first.' : text.trim() === '' ? 'Paste manifests first.' : undefined);
  return (
    <form class="stack plan-form" onSubmit={(event) => event.preventDefault()}>
      {refused !== undefined && <Notice>You cannot apply manifests here: {refused}.</Notice>}
      <TextField
        label="Set"
        hint="The objects become members of this set. A new name makes a new set."
        value={set}
        list="plan-sets"
        onValue={(value) => edit({ set: value.trim() })}
      />
      <SetNames />
      <div class="plan-text">
        <TextArea
          label="Manifests"
          hint="YAML of several documents, lists, or JSON. The draft stays in this tab."
          rows={18}
          placeholder={SAMPLE}
          value={text}
          onValue={(value) => edit({ text: value })}
        />
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
        {text !== '' && <Button onPress={() => edit({ text: '' })}>Clear the text</Button>}
      </div>
    </form>
  );
}

async function addFiles(event: { readonly currentTarget: HTMLInputElement }): Promise<void> {
  const { currentTarget: input } = event;
  const texts = await Promise.all([...(input.files ?? [])].map((file) => file.text()));
  const before = draft.peek().text.trimEnd();
  edit({ text: [...(before === '' ? [] : [before]), ...texts].join('\n---\n') });
  input.value = '';
}

/** The sets that there are, to choose from. */
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

function Shown({ result, onApply }: { readonly result: Result; readonly onApply: () => Promise<void> }) {
  const { outcome, error, of, in: where } = result;
  const isOld = of !== draft.value || where !== namespace.value;
  const isApplied = outcome?.resourceVersion !== undefined;
  return (
    <>
      {isOld && !isApplied && (
        <Notice>This is the plan of an earlier text. Plan again to apply what is there now.</Notice>
      )}
      {error !== undefined && <Refusal error={error} isForced={of.force} />}
      {isApplied && (
        <Notice look="ok">
          <span class="grow">Applied in one commit, revision {outcome.resourceVersion}.</span>
          <Link class="button" href={places.sets(of.set)}>
            Open the set
          </Link>
        </Notice>
      )}
      {outcome !== undefined && (
        <ShownPlan key={JSON.stringify(outcome).length} plan={outcome.plan} isApplied={isApplied} />
      )}
      {outcome !== undefined && !isApplied && (
        <div class="row">
          <Button look="primary" unavailable={whyNotApply(outcome, isOld)} onPress={onApply}>
            Apply
          </Button>
        </div>
      )}
    </>
  );
}

function whyNotApply({ plan }: Outcome, isOld: boolean): string | undefined {
  if (isOld) return 'The text has changed since this plan. Plan again.';
  const hasConflicts = plan.some(({ action }) => action === 'conflict');
  return hasConflicts ? 'There are conflicts. Change the text, or plan again with Force.' : undefined;
}
