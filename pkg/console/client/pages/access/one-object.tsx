import { useSignal } from '@preact/signals';
import type { Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';
import { TextField } from '../../ui/field.js';
import { Failure } from '../../ui/states.js';
import type { Person } from '../folders/access/subjects.js';
import { KindField, kindIn } from './kind-field.js';
import { mayThey, VERBS } from './questions.js';

interface Props {
  /** Undefined for the caller. */
  readonly person: Person | undefined;
}

/** Asks about one object, for example a folder. */
export function OneObject({ person }: Props) {
  const [kind, name] = [useSignal('folders'), useSignal('')];
  const resource = kindIn(kind.value);
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
      {resource !== undefined && name.value !== '' && (
        <Answers
          key={JSON.stringify([person?.username, kind.value, name.value, namespace.value])}
          person={person}
          resource={resource}
          name={name.value}
        />
      )}
    </>
  );
}

interface AnswersProps extends Props {
  readonly resource: Resource;
  readonly name: string;
}

/** What the person may do with the object. */
function Answers({ person, resource, name }: AnswersProps) {
  const verbs = VERBS.filter((verb) => resource.verbs.includes(verb) && !/list|watch|collection/.test(verb));
  const about = { resource, namespace: namespace.value, name };
  const { state } = useLoad(
    (signal) => Promise.all(verbs.map((verb) => mayThey(person, { verb, ...about }, signal))),
    [],
  );
  const { value: answers, error } = state.value;
  if (error !== undefined) return <Failure error={error} />;
  return (
    <ul class="access-answers" aria-label={`Rights on ${name}`} aria-live="polite">
      {answers?.map(({ allowed, reason }, index) => (
        <li key={verbs[index]} class={allowed ? '' : 'refused'}>
          <span class={`chip ${allowed ? 'ok' : 'danger'}`}>
            {verbs[index]}: {allowed ? 'yes' : 'no'}
          </span>{' '}
          <span class="muted">{reason}</span>
        </li>
      ))}
    </ul>
  );
}
