import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { listed, type Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { me, namespace } from '../../lib/session.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { Failure, Notice, Skeleton } from '../../ui/states.js';
import { PersonPicker } from '../folders/access/picker.js';
import type { Person } from '../folders/access/subjects.js';
import { titleOf } from './kind-field.js';
import { OneObject } from './one-object.js';
import { type Extent, extentOf, type Rules, rulesOf, VERBS } from './questions.js';

/** The kinds of subjects that can be callers. Teams cannot, but their members can. */
const CALLERS = ['User', 'ServiceAccount'] as const;

/** Shows what somebody may do with each kind, and with one object. */
export function WhatMay() {
  const person = useSignal<Person | undefined>(undefined);
  const mayAsk = me.value?.groups.includes('system:masters') === true;
  return (
    <div class="stack" role="tabpanel" aria-label="What may this person do?">
      {mayAsk ? (
        <div class="access-form">
          <PersonPicker
            label="Person or service account"
            namespace={namespace.value}
            kinds={CALLERS}
            value={person.value}
            onValue={(one) => (person.value = one)}
          />
        </div>
      ) : (
        <Notice>Only administrators of the server may ask about others. This is about yourself.</Notice>
      )}
      <OneObject person={person.value} />
      <h2>
        What <bdi>{person.value?.title ?? 'you'}</bdi> may do in the organization <bdi>{namespace.value}</bdi>
      </h2>
      <Rights key={JSON.stringify([person.value?.username, namespace.value])} person={person.value} />
    </div>
  );
}

/** The rights of one person. Another person needs another component, which shows nothing of this one. */
function Rights({ person }: { readonly person: Person | undefined }) {
  const { state, reload } = useLoad((signal) => rulesOf(person, namespace.value, signal), []);
  const { phase, value: rules, error } = state.value;
  if (phase === 'loading') return <Skeleton rows={10} label="Loading the rights" />;
  return phase === 'failed' ? <Failure error={error} onRetry={reload} /> : <Matrix rules={rules} />;
}

const MARKS: Readonly<Record<Extent, readonly [mark: string, words: string]>> = {
  all: ['✓', 'yes'],
  some: ['◐', 'some objects'],
  none: ['–', 'no'],
};

function Matrix({ rules }: { readonly rules: Rules }) {
  return (
    <>
      <p class="muted">
        ✓ all objects, ◐ some objects, – none.{' '}
        {rules.incomplete && rules.evaluationError !== undefined && `Note: ${rules.evaluationError}. `}
        <Link href={places.people('roles')}>What do the roles allow?</Link>
      </p>
      <ScrollBox label="Rights by kind">
        <table class="table access-matrix">
          <caption class="sr-only">Rights by kind and verb</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {VERBS.map((verb) => (
                <th key={verb} scope="col">
                  {verb}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.value.map((resource) => (
              <MatrixRow key={`${resource.group}/${resource.resource}`} rules={rules} resource={resource} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

function MatrixRow({ rules, resource }: { readonly rules: Rules; readonly resource: Resource }) {
  return (
    <tr>
      <th scope="row" title={`${resource.resource}.${resource.group}`}>
        {titleOf(resource)}
      </th>
      {VERBS.map((verb) => {
        const extent = resource.verbs.includes(verb) ? extentOf(rules, resource, verb) : undefined;
        const [mark, words] = extent === undefined ? ['', 'does not exist'] : MARKS[extent];
        return (
          <td key={verb} class={`access-${extent ?? 'none'}`} title={`${verb}: ${words}`}>
            <span aria-hidden="true">{mark}</span>
            <span class="sr-only">{words}</span>
          </td>
        );
      })}
    </tr>
  );
}
