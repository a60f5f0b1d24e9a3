import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { get } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeObject } from '../../lib/object.js';
import { me, namespace } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { Empty, Failure, Notice, Skeleton } from '../../ui/states.js';
import { needed } from '../folders/access/entries.js';
import { PersonLabel } from '../folders/access/person.js';
import type { Person } from '../folders/access/subjects.js';
import { KindField, kindIn } from './kind-field.js';
import { type Allowed, type Question, type Reason, VERBS, whoMay } from './questions.js';

/** Lists who may do something with a kind or with one object, and why. */
export function WhoMay({ object }: { readonly object: string }) {
  const [verb, kind, name] = [useSignal('get'), useSignal('folders'), useSignal(object)];
  const resource = kindIn(kind.value);
  const verbs = VERBS.filter((one) => resource?.verbs.includes(one) === true);
  if (me.value?.groups.includes('system:masters') !== true)
    return (
      <Notice>
        Only administrators of the server may ask who may do something. Under “What may this person do?” you can ask
        about yourself.
      </Notice>
    );
  return (
    <div class="stack" role="tabpanel" aria-label="Who may do this?">
      <div class="access-form">
        <SelectField
          label="Verb"
          value={verb.value}
          onValue={(value) => (verb.value = value)}
          options={verbs.map((one) => [one, one])}
        />
        <KindField value={kind.value} onValue={(value) => (kind.value = value)} />
        <TextField
          label="Name of one object (optional)"
          value={name.value}
          onValue={(text) => (name.value = text.trim())}
          placeholder="As in its address, for example ops"
        />
      </div>
      {resource !== undefined && (
        <Answers
          key={JSON.stringify([verb.value, kind.value, name.value, namespace.value])}
          question={{ verb: verb.value, resource, namespace: namespace.value, name: name.value }}
        />
      )}
    </div>
  );
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

function Row({ allowed: { kind, name, because }, at }: { readonly allowed: Allowed; readonly at: string }) {
  const { state } = useLoad(() => personNamed(kind, name, at), [kind, name]);
  const person = state.value.value ?? { kind: kind === 'ServiceAccount' ? kind : 'User', name, title: name };
  return (
    <tr>
      <td>
        <PersonLabel person={person} />
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

async function personNamed(kind: Allowed['kind'], name: string, at: string): Promise<Person> {
  if (kind === 'Anonymous') return { kind: 'User', name, title: 'Everybody without signing in' };
  const isUser = kind === 'User';
  const resource = needed('iam', isUser ? 'users' : 'serviceaccounts');
  type Named = KubeObject<{ readonly name?: string; readonly login?: string; readonly title?: string }>;
  const { spec = {} } = await get<Named>(objectPath(resource, isUser ? '' : at, name));
  const title = spec.title || spec.name || spec.login || name;
  return { kind, name, title, ...(spec.login && { detail: spec.login }) };
}

function ReasonWords({ reason, at }: { readonly reason: Reason; readonly at: string }) {
  const { serverAdministrator, own, role, team, binding } = reason;
  if (serverAdministrator === true) return <>Administrator of the server</>;
  if (own === true) return <>Every member may, as far as it is theirs</>;
  if (role !== undefined) return <Link href={places.builtInRole(role)}>Role {role} in the organization</Link>;
  if (team !== undefined) return <Link href={places.people('teams')}>Member of the team {team}</Link>;
  if (binding === undefined) return null;
  const { roleRef, subject, scope } = binding;
  const folder = scope?.folder;
  return (
    <>
      {roleRef.kind === 'Role' ? (
        <Link href={places.object(needed('iam', 'roles'), at, roleRef.name)}>Role {roleRef.name}</Link>
      ) : (
        roleRef.name
      )}
      {subject.kind === 'Team' && ' by a team'}
      {subject.kind === 'BasicRole' && ` of every ${subject.name}`}
      {folder !== undefined && (
        <>
          {' on the folder '}
          <Link href={places.folders(folder)}>{folder}</Link>
        </>
      )}
      {scope === undefined && ' in the whole organization'}
      {scope?.dashboard !== undefined && ` on the dashboard ${scope.dashboard}`}
      {scope?.serviceAccount !== undefined && ` on the service account ${scope.serviceAccount}`}
    </>
  );
}
