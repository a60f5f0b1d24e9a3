import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { ApiError } from '../../lib/api.js';
import type { Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { me, namespace } from '../../lib/session.js';
import { useTitles } from '../../lib/table-titles.js';
import { useMayAsk } from '../../lib/use-may-ask.js';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/field.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { Empty, Failure, Notice, Skeleton } from '../../ui/states.js';
import { needed } from '../folders/access/entries.js';
import { PersonLabel } from '../folders/access/person.js';
import type { Person } from '../folders/access/subjects.js';
import { useAsked } from './asked.js';
import { KindField, kindIn, titleOf } from './kind-field.js';
import { named, ObjectPicker } from './objects.js';
import { type Allowed, type Question, type Reason, VERBS, whoMay } from './questions.js';

/** Lists who may do something with a kind or with one object, and why. */
export function WhoMay() {
  const [{ verb, kind, object }, ask] = useAsked();
  const mayAsk = useMayAsk();
  const resource = kindIn(kind);
  const verbs = VERBS.filter((one) => resource?.verbs.includes(one) === true);
  const isOutside = resource?.isNamespaced === false && me.value?.groups.includes('system:masters') !== true;
  if (mayAsk === undefined) return <Skeleton rows={6} label="Asking who may do this" />;
  if (!mayAsk)
    return (
      <Notice>
        Only administrators of the organization may ask who may do something. Under “What may they do?” you can ask
        about yourself.
      </Notice>
    );
  return (
    <div class="stack" role="tabpanel" aria-label="Who may do this?">
      <div class="access-form">
        <SelectField
          label="Verb"
          value={verb}
          onValue={(value) => ask({ verb: value })}
          options={verbs.map((one) => [one, one])}
        />
        <KindField value={kind} onValue={(value) => ask({ kind: value, object: '' })} />
        {resource !== undefined && (
          <ObjectPicker
            key={kind}
            label="Which one (optional)"
            resource={resource}
            namespace={namespace.value}
            value={object}
            onValue={(name) => ask({ object: name })}
          />
        )}
      </div>
      {isOutside && (
        <Notice>
          {titleOf(resource)} is outside of organizations. Only administrators of the server may ask who may do
          something with it.
        </Notice>
      )}
      {resource !== undefined && !isOutside && (
        <Checked key={JSON.stringify([verb, kind, object, namespace.value])} resource={resource} object={object}>
          <Answers question={{ verb, resource, namespace: namespace.value, name: object }} />
        </Checked>
      )}
    </div>
  );
}

interface CheckedProps {
  readonly resource: Resource;
  readonly object: string;
  readonly children: VNode;
}

/** Shows an answer only about an object that exists: the server also answers about names that nothing has. */
function Checked({ resource, object, children }: CheckedProps) {
  const { state } = useLoad(
    (signal) => (object === '' ? Promise.resolve(undefined) : named(resource, namespace.value, object, signal)),
    [],
  );
  const { phase, error } = state.value;
  if (error instanceof ApiError && error.code === 404)
    return <Notice>There is no {titleOf(resource).toLowerCase()} called so.</Notice>;
  if (phase === 'loading') return <Skeleton rows={6} label="Asking who may do this" />;
  return children;
}

/** The answers so far. More callers are examined on request. */
function Answers({ question }: { readonly question: Question }) {
  const more = useSignal<
    { readonly subjects: readonly Allowed[]; readonly examined: number; readonly next: string | undefined } | undefined
  >(undefined);
  const { state, reload } = useLoad((signal) => whoMay(question, '', signal), []);
  const { value: first, error } = state.value;
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (first === undefined) return <Skeleton rows={6} label="Asking who may do this" />;
  const { subjects, examined, next } = more.value ?? { ...first, next: first.continue };
  const goOn = async (from: string): Promise<void> => {
    const { continue: after, ...page } = await whoMay(question, from);
    more.value = { subjects: [...subjects, ...page.subjects], examined: examined + page.examined, next: after };
  };
  return (
    <>
      <p aria-live="polite">
        {subjects.length} of {examined} that were looked at may do this.{' '}
        {next !== undefined && <Button onPress={() => goOn(next)}>Look at more</Button>}
      </p>
      {subjects.length === 0 ? (
        <Empty title="Nobody of those may do this" />
      ) : (
        <ScrollBox label="Who may do this">
          <table class="table access-who">
            <caption class="sr-only">Who may do this, and why</caption>
            <thead>
              <tr>
                <th scope="col">Who</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {subjects.map((one) => (
                <Row key={`${one.kind}/${one.name}`} allowed={one} at={question.namespace} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </>
  );
}

function Row({ allowed, at }: { readonly allowed: Allowed; readonly at: string }) {
  const { because } = allowed;
  return (
    <tr>
      <td>
        <PersonLabel person={personIn(allowed)} />
      </td>
      <td>
        {because.length === 0 && 'Several rights together'}
        <ul class="access-reasons">
          {because.map((reason) => (
            <li key={JSON.stringify(reason)}>
              <ReasonWords reason={reason} at={at} />
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

function personIn({ kind, name, title = name, login }: Allowed): Person {
  if (kind === 'Anonymous') return { kind: 'User', name, title: 'Everybody without signing in' };
  return { kind, name, title, ...(login !== undefined && login !== title && { detail: login }) };
}

function ReasonWords({ reason, at }: { readonly reason: Reason; readonly at: string }) {
  const teamName = reason.team ?? (reason.binding?.subject.kind === 'Team' ? reason.binding.subject.name : '');
  const team = useNamed('iam', 'teams', at, teamName);
  const on = useNamed('folder', 'folders', at, reason.binding?.scope?.folder ?? '');
  const { serverAdministrator, own, role, binding } = reason;
  const given = binding?.roleRef.kind === 'Role' ? binding.roleRef.name : '';
  const givenTitle = useTitles(needed('iam', 'roles'), at, [given])(given);
  if (serverAdministrator === true) return <>Administrator of the server</>;
  if (own === true) return <>Every member may, as far as it is theirs</>;
  if (role !== undefined) return <Link href={places.builtInRole(role)}>Role {role} in the organization</Link>;
  if (reason.team !== undefined) return <Link href={places.team(reason.team)}>Member of the team {team}</Link>;
  if (binding === undefined) return null;
  const { roleRef, subject, scope } = binding;
  const folder = scope?.folder;
  return (
    <>
      {roleRef.kind === 'Role' ? (
        <Link href={places.object(needed('iam', 'roles'), at, roleRef.name)}>Role {givenTitle}</Link>
      ) : (
        roleRef.name
      )}
      {subject.kind === 'Team' && (
        <>
          {' by the team '}
          <Link href={places.team(subject.name)}>{team}</Link>
        </>
      )}
      {subject.kind === 'BasicRole' && ` of every ${subject.name}`}
      {folder !== undefined && (
        <>
          {' on the folder '}
          <Link href={places.folders(folder)}>{on}</Link>
        </>
      )}
      {scope === undefined && ' in the whole organization'}
      {scope?.dashboard !== undefined && ` on the dashboard ${scope.dashboard}`}
      {scope?.serviceAccount !== undefined && ` on the service account ${scope.serviceAccount}`}
    </>
  );
}

/** What people call an object. Until that is loaded, and for callers who may not view it, its name. */
function useNamed(word: string, plural: string, at: string, name: string): string {
  const { state } = useLoad(
    async (signal) => (name === '' ? '' : (await named(needed(word, plural), at, name, signal)).title),
    [plural, at, name],
  );
  return state.value.value ?? name;
}
