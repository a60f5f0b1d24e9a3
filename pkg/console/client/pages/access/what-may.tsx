import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { listed, type Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { me, namespace } from '../../lib/session.js';
import { TextField } from '../../ui/field.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { Failure, Notice, Skeleton } from '../../ui/states.js';
import { PersonPicker } from '../folders/access/picker.js';
import type { Person } from '../folders/access/subjects.js';
import { KindField, kindIn, titleOf } from './kind-field.js';
import { type Extent, extentOf, mayThey, type Rules, rulesOf, VERBS } from './questions.js';

/** The kinds of subjects that can be callers. Teams cannot, but their members can. */
const CALLERS = ['User', 'ServiceAccount'] as const;

/** Shows what somebody may do with each kind, and with one object. */
export function WhatMay() {
  const person = useSignal<Person | undefined>(undefined);
  const mayAsk = me.value?.groups.includes('system:masters') === true;
  const { state, reload } = useLoad(
    (signal) => rulesOf(person.value, namespace.value, signal),
    [person.value?.username, namespace.value],
  );
  const { phase, value: rules, error } = state.value;
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
      {phase === 'loading' && <Skeleton rows={10} label="Loading the rights" />}
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {phase === 'there' && <Matrix rules={rules} />}
    </div>
  );
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

/** Asks about one object, for example a folder. */
function OneObject({ person }: { readonly person: Person | undefined }) {
  const [kind, name] = [useSignal('folders'), useSignal('')];
  const resource = kindIn(kind.value);
  const verbs = VERBS.filter((verb) => resource?.verbs.includes(verb) === true && !/list|watch|collection/.test(verb));
  const { state } = useLoad(
    async (signal) => {
      if (resource === undefined || name.value === '') return undefined;
      const about = { resource, namespace: namespace.value, name: name.value };
      return Promise.all(verbs.map((verb) => mayThey(person, { verb, ...about }, signal)));
    },
    [person?.username, kind.value, name.value, namespace.value],
  );
  const { value: answers, error } = state.value;
  return (
    <>
      <div class="access-form">
        <KindField value={kind.value} onValue={(value) => (kind.value = value)} />
        <TextField
          label="Name of one object (optional)"
          value={name.value}
          onValue={(text) => (name.value = text.trim())}
          placeholder="As in its address, for example ops"
        />
      </div>
      {error !== undefined && <Failure error={error} />}
      {answers !== undefined && (
        <ul class="access-answers" aria-label={`Rights on ${name.value}`} aria-live="polite">
          {verbs.map((verb, index) => (
            <li key={verb} class={answers[index]?.allowed === true ? '' : 'refused'}>
              <span class={`chip ${answers[index]?.allowed === true ? 'ok' : 'danger'}`}>
                {verb}: {answers[index]?.allowed === true ? 'yes' : 'no'}
              </span>{' '}
              <span class="muted">{answers[index]?.reason}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
