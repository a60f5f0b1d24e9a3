import { useSignal } from '@preact/signals';
import { useLoad } from '../../lib/load.js';
import { me, namespace, organizationTitle } from '../../lib/session.js';
import { useMayAsk } from '../../lib/use-may-ask.js';
import { SelectField } from '../../ui/field.js';
import { Failure, Notice, Skeleton } from '../../ui/states.js';
import { needed } from '../folders/access/entries.js';
import { OwnRights } from '../folders/access/own.js';
import { PersonPicker } from '../folders/access/picker.js';
import { type Person, type Subject, subjectKey } from '../folders/access/subjects.js';
import { Answer } from './answer.js';
import { useAsked } from './asked.js';
import { Matrix } from './matrix.js';
import { ObjectPicker } from './objects.js';
import { OpenPlaces } from './places.js';
import { placesOf, summaryOf } from './questions.js';

const SUBJECTS = ['User', 'Team', 'ServiceAccount', 'BasicRole'] as const;
/** What has levels of access. */
const KINDS = [
  ['folders', 'Folder'],
  ['dashboards', 'Dashboard'],
] as const;

/** Shows what somebody may do with one folder or dashboard, and with each kind. */
export function WhatMay() {
  const [asked, ask] = useAsked();
  const mayAsk = useMayAsk();
  const title = useTitle(asked.subject);
  const { kind, object, subject } = asked;
  const plural = kind === 'dashboards' ? 'dashboards' : 'folders';
  const resource = needed(plural === 'folders' ? 'folder' : 'dashboard', plural);
  const self: Subject | undefined = me.value?.uid ? { kind: 'User', name: me.value.uid } : undefined;
  const about = subject ?? self;
  // What is said about somebody is never shown as of somebody else.
  const key = JSON.stringify([subject, namespace.value]);
  return (
    <div class="stack" role="tabpanel" aria-label="What may they do?">
      {mayAsk === false && (
        <Notice>Only administrators of the organization may ask about others. This is about yourself.</Notice>
      )}
      <div class="access-form">
        {mayAsk === true && (
          <PersonPicker
            label="Person, team or service account"
            namespace={namespace.value}
            kinds={SUBJECTS}
            value={subject && { ...subject, title: title.of(subject) }}
            onValue={(one) => {
              title.keep(one);
              ask({ subject: one && { kind: one.kind, name: one.name } });
            }}
          />
        )}
        <SelectField
          label="Kind"
          value={plural}
          onValue={(value) => ask({ kind: value, object: '' })}
          options={KINDS}
        />
        <ObjectPicker
          label={plural === 'folders' ? 'Which folder' : 'Which dashboard'}
          resource={resource}
          namespace={namespace.value}
          value={object}
          onValue={(name) => ask({ kind: plural, object: name })}
        />
      </div>
      {object !== '' && about !== undefined && (
        <Answer
          key={`${key} ${plural}/${object}`}
          namespace={namespace.value}
          subject={about}
          title={subject === undefined ? 'You' : title.of(subject)}
          kind={plural}
          object={object}
        />
      )}
      {object !== '' && about === undefined && (
        <OwnRights resource={resource} namespace={namespace.value} name={object} />
      )}
      <h2>
        What <bdi>{subject === undefined ? 'you' : title.of(subject)}</bdi> may do in the organization{' '}
        <bdi>{organizationTitle(namespace.value)}</bdi>
      </h2>
      <OpenPlaces key={`folders ${key}`} subject={subject} kind="folders" />
      <OpenPlaces key={`dashboards ${key}`} subject={subject} kind="dashboards" />
      <Kinds key={`kinds ${key}`} subject={subject} />
    </div>
  );
}

/** Each kind with each verb, for those who want to know exactly. It is asked for when it is opened. */
function Kinds({ subject }: { readonly subject: Subject | undefined }) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>All kinds, by verb</summary>
      {isOpen.value && (
        <div class="stack access-kinds">
          <Rights subject={subject} />
        </div>
      )}
    </details>
  );
}

/** The rights of one person. Another person needs another component, which shows nothing of this one. */
function Rights({ subject }: { readonly subject: Subject | undefined }) {
  const { state, reload } = useLoad((signal) => summaryOf(subject, namespace.value, signal), []);
  const { phase, value, error } = state.value;
  if (phase === 'loading' || value === undefined)
    return error === undefined ? (
      <Skeleton rows={10} label="Loading the rights" />
    ) : (
      <Failure error={error} onRetry={reload} />
    );
  return <Matrix summary={value} />;
}

/** What people call the subject: as it was chosen, or, if it was in the address, as the server says. */
function useTitle(subject: Subject | undefined) {
  const known = useSignal<ReadonlyMap<string, string>>(new Map());
  const keep = (one: Person | undefined, title = one?.title): void => {
    if (one !== undefined && title !== undefined) known.value = new Map([...known.peek(), [subjectKey(one), title]]);
  };
  useLoad(
    async (signal) => {
      if (subject === undefined || known.peek().has(subjectKey(subject))) return;
      const { title } = await placesOf(subject, namespace.value, { resource: 'folders', limit: 1 }, signal);
      keep({ ...subject, title });
    },
    [subject?.kind, subject?.name, namespace.value],
  );
  return { keep, of: (one: Subject): string => known.value.get(subjectKey(one)) ?? one.name };
}
