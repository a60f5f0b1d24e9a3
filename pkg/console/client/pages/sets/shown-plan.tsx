import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { resourceOf } from '../../lib/discovery.js';
import { Button } from '../../ui/button.js';
import { Empty } from '../../ui/states.js';
import { type FieldChange, isAdopted, type Planned } from './apply.js';
import { ConflictText } from './conflict-text.js';
import { ObjectTitle } from './object-title.js';

type Look = Planned['action'] | 'adopted';

/** The most important first, with their words before and after the apply. */
const LOOKS: readonly (readonly [look: Look, chip: string, before: string, after: string])[] = [
  ['conflict', 'danger', 'in conflict', 'in conflict'],
  ['pruned', 'danger', 'to delete', 'deleted'],
  ['created', 'ok', 'to create', 'created'],
  ['configured', 'warn', 'to change', 'changed'],
  ['adopted', '', 'to adopt', 'adopted'],
  ['unchanged', '', 'unchanged', 'unchanged'],
];

const lookOf = (planned: Planned): Look => (isAdopted(planned) ? 'adopted' : planned.action);

/** Objects that are drawn at first. Each press of the button draws five times as many more. */
const AT_ONCE = 100;

/** The actions of a plan, the most important first. Unchanged objects are shown on request. */
export function ShownPlan({ plan, isApplied }: { readonly plan: readonly Planned[]; readonly isApplied: boolean }) {
  const only = useSignal<Look | undefined>(undefined);
  const most = useSignal(AT_ONCE);
  const counts = useMemo(() => countsOf(plan), [plan]);
  const shown = useMemo(() => {
    const order = LOOKS.map(([look]) => look);
    return plan
      .filter((one) => (only.value === undefined ? lookOf(one) !== 'unchanged' : lookOf(one) === only.value))
      .sort((a, b) => order.indexOf(lookOf(a)) - order.indexOf(lookOf(b)));
  }, [plan, only.value]);
  return (
    <section class="stack" aria-label={isApplied ? 'What was done' : 'What would be done'}>
      <h2>{isApplied ? 'What was done' : 'What would be done'}</h2>
      <div class="row" role="group" aria-label="Show only">
        {LOOKS.filter(([look]) => counts.has(look)).map(([look, chip, before, after]) => (
          <button
            key={look}
            type="button"
            class={`plan-count chip ${chip}`}
            aria-pressed={only.value === look}
            onClick={() => (only.value = only.value === look ? undefined : look)}
          >
            {counts.get(look)} {isApplied ? after : before}
          </button>
        ))}
      </div>
      {shown.length === 0 ? (
        <Empty title="Nothing changes: all is as the manifests say" />
      ) : (
        <ul class="plan-objects list-box">
          {shown.slice(0, most.value).map((one) => (
            <ObjectOf
              key={`${one.apiVersion}/${one.kind}/${one.namespace ?? ''}/${one.name}`}
              planned={one}
              isApplied={isApplied}
            />
          ))}
        </ul>
      )}
      {shown.length > most.value && (
        <Button onPress={() => (most.value += 5 * AT_ONCE)}>
          Show more of {shown.length - most.value} further objects
        </Button>
      )}
    </section>
  );
}

function countsOf(plan: readonly Planned[]): ReadonlyMap<Look, number> {
  const counts = new Map<Look, number>();
  for (const one of plan) counts.set(lookOf(one), (counts.get(lookOf(one)) ?? 0) + 1);
  return counts;
}

function ObjectOf({ planned, isApplied }: { readonly planned: Planned; readonly isApplied: boolean }) {
  const look = lookOf(planned);
  const [, chip = '', before = '', after = ''] = LOOKS.find(([one]) => one === look) ?? [];
  const { message, diff = [] } = planned;
  return (
    <li>
      <div class="row">
        <span class={`chip ${chip}`}>{isApplied ? after : before}</span>
        <Name planned={planned} />
      </div>
      {message !== undefined && (
        <p class="plan-words">
          <ConflictText message={message} planned={planned} />
        </p>
      )}
      {diff.length > 0 && (
        <details open={look === 'configured' && diff.length <= 8}>
          <summary>
            {diff.length} {diff.length === 1 ? 'field' : 'fields'}
          </summary>
          <dl class="plan-fields">
            {diff.map((change) => (
              <Field key={change.path} change={change} />
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

function Name({ planned: { apiVersion, kind, namespace, name, action, diff } }: { readonly planned: Planned }) {
  const resource = resourceOf(apiVersion, kind);
  // The plan says the title of what is new, and the search the others.
  const title = diff?.find(({ path }) => path === 'spec.title')?.to;
  const isThere = action !== 'created' && action !== 'pruned';
  return (
    <span class="plan-name">
      <span class="muted">{kind}</span>{' '}
      <ObjectTitle
        resource={resource}
        namespace={namespace ?? ''}
        name={name}
        title={typeof title === 'string' ? title : undefined}
      >
        {(text) =>
          resource !== undefined && isThere ? (
            <Link href={places.object(resource, namespace, name)} dir="auto">
              {text}
            </Link>
          ) : (
            <strong dir="auto">{text}</strong>
          )
        }
      </ObjectTitle>
    </span>
  );
}

function Field({ change: { path, from, to } }: { readonly change: FieldChange }) {
  return (
    <>
      <dt>
        <code>{path}</code>
      </dt>
      <dd>
        {from !== undefined && (
          <del>
            <span class="sr-only">from </span>
            {shown(from)}
          </del>
        )}
        {from !== undefined && to !== undefined && <span aria-hidden="true"> → </span>}
        {to === undefined ? (
          <span class="muted"> removed</span>
        ) : (
          <ins>
            <span class="sr-only">to </span>
            {shown(to)}
          </ins>
        )}
      </dd>
    </>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
