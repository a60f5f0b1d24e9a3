import { useSignal } from '@preact/signals';
import { useLive } from '../../../lib/live.js';
import { forgetPermissions, namespace } from '../../../lib/session.js';
import { Button } from '../../../ui/button.js';
import { confirm } from '../../../ui/confirm.js';
import { SelectField } from '../../../ui/field.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { type Subject, subjectKey } from '../../folders/access/subjects.js';
import { Consequences } from '../../folders/actions/consequences.js';
import { isolated } from '../../folders/model/words.js';
import { accounts, called, members, ROLES, teams } from '../legacy.js';
import { Card } from '../list.js';
import { useMyself } from '../myself.js';
import { type Choice, Picker } from '../picker.js';
import { ownWarning } from '../self.js';
import { type Binding, bind, bindingsPath, unbind } from './kinds.js';
import { useTitles } from './titles.js';

/** Bindings that are loaded at first. */
const AT_ONCE = 50;
const NOTHING = { phase: 'loading', items: new Map<string, Binding>(), hasMore: false, error: undefined } as const;
const NO_SUBJECT: Subject = { kind: 'User', name: '' };

const KINDS: readonly (readonly [Subject['kind'], string])[] = [
  ['User', 'a user'],
  ['Team', 'a team'],
  ['ServiceAccount', 'a service account'],
  ['BasicRole', 'everybody with a role'],
];

/** Subjects of a kind whose names match. */
async function find(kind: string, query: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const page = { query, page: 1, perpage: 6 };
  if (kind === 'Team')
    return (await teams(page, signal)).items.map(({ uid, name, email }) => ({ key: uid, label: name, hint: email }));
  if (kind === 'ServiceAccount')
    return (await accounts(page, signal)).items.map(({ uid, name, login }) => ({ key: uid, label: name, hint: login }));
  if (kind === 'BasicRole')
    return ROLES.filter((role) => role !== 'None' && role.toLowerCase().includes(query.toLowerCase())).map((role) => ({
      key: role,
      label: role,
    }));
  return (await members(page, signal)).items.map((one) => ({ key: one.uid, label: called(one), hint: one.email }));
}

interface Props {
  readonly role: string;
  readonly unavailable: string | undefined;
}

/** The subjects that have a role, and where they have it. */
export function Assignments({ role, unavailable }: Props) {
  const kind = useSignal<string>('User');
  const query = { fieldSelector: `spec.roleRef.name=${role}` };
  const holders = useLive<Binding>(bindingsPath(), { query, first: AT_ONCE });
  const { phase, items, hasMore, error } = holders?.state.value ?? NOTHING;
  // A built-in role may have the same name.
  const bindings = [...items.values()].filter(({ spec }) => spec?.roleRef.kind === 'Role');
  return (
    <Card title="Who has it">
      {unavailable === undefined && (
        <div class="stack tight">
          <SelectField
            label="Give it to"
            value={kind.value}
            onValue={(value) => (kind.value = value)}
            options={KINDS}
          />
          <Picker
            key={kind.value}
            label={kind.value === 'BasicRole' ? 'Which role' : 'Who'}
            find={(text, signal) => find(kind.value, text, signal)}
            without={new Set(bindings.filter(isEverywhere).map(({ spec }) => spec?.subject.name ?? ''))}
            onChoose={({ key, label }) => give(role, { kind: kind.value, name: key }, label)}
          />
        </div>
      )}
      {phase === 'loading' && <Skeleton rows={2} />}
      {phase === 'failed' && <Failure error={error} />}
      {phase === 'live' && bindings.length === 0 && <p class="muted">Nobody has it.</p>}
      <Holders bindings={bindings} unavailable={unavailable} />
      {hasMore && <Button onPress={() => holders?.more(AT_ONCE)}>Show more</Button>}
    </Card>
  );
}

/** Gives the role after a question, which says who gains access by it. */
async function give(role: string, subject: { readonly kind: string; readonly name: string }, label: string) {
  const warnings = await bind(role, subject, { isTrial: true });
  const text = <Question text={`${isolated(label)} gets what it allows.`} warnings={warnings} />;
  if (!(await confirm({ title: 'Give the role?', action: 'Give it', text }))) return;
  await bind(role, subject, { isTrial: false });
  forgetPermissions();
}

/** What a change means, and what the server says of whose access changes. */
function Question({ text, warnings }: { readonly text: string; readonly warnings: readonly string[] }) {
  const where = { namespace: namespace.value, titles: new Map<string, string>() };
  return (
    <div class="stack tight">
      <p dir="auto">{text}</p>
      {warnings.length > 0 && <Consequences warnings={warnings} where={where} />}
    </div>
  );
}

/** The subjects of bindings, with their titles. */
function Holders({ bindings, unavailable }: Pick<Props, 'unavailable'> & { readonly bindings: readonly Binding[] }) {
  const titles = useTitles(bindings.flatMap(({ spec }) => spec?.subject ?? []));
  const myself = useMyself().state.value.value;
  const take = async (binding: Binding, title: string): Promise<void> => {
    const { kind, name } = binding.spec?.subject ?? NO_SUBJECT;
    const isSelf = kind === 'User' && name === myself?.uid;
    const warnings = await unbind(binding, { isTrial: true });
    const text = `${ownWarning(isSelf)}${isolated(title)} loses what it allows.`;
    const question = { title: 'Take the role away?', action: 'Take away', isDangerous: true };
    if (!(await confirm({ ...question, text: <Question text={text} warnings={warnings} /> }))) return;
    await unbind(binding, { isTrial: false });
    forgetPermissions();
  };
  return (
    <ul class="people-plain">
      {bindings.map((binding) => {
        const title = titleOf(binding, titles);
        return (
          <li key={binding.metadata.name}>
            <span class="grow">
              <span class="clamped people-name" dir="auto">
                {title}
              </span>
              <span class="clamped people-below muted">{placeOf(binding)}</span>
            </span>
            <Button
              unavailable={unavailable}
              aria-label={`Take away the role of ${title}`}
              onPress={() => take(binding, title)}
            >
              Take away
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

const isEverywhere = ({ spec }: Binding): boolean => spec?.scope === undefined;

function titleOf({ spec }: Binding, titles: ReadonlyMap<string, string>): string {
  const subject = spec?.subject ?? NO_SUBJECT;
  return subject.kind === 'BasicRole'
    ? `Everybody who is ${subject.name}`
    : (titles.get(subjectKey(subject)) ?? subject.name);
}

/** The kind of the subject, and where it has the role. */
function placeOf({ spec }: Binding): string {
  const kind = (KINDS.find(([one]) => one === spec?.subject.kind)?.[1] ?? '').replace(/^an? /, '');
  const { folder, dashboard, serviceAccount } = spec?.scope ?? {};
  const places = [
    folder !== undefined && `in the folder ${folder}`,
    dashboard !== undefined && `on the dashboard ${dashboard}`,
    serviceAccount !== undefined && `on the service account ${serviceAccount}`,
  ].filter((one): one is string => one !== false);
  return [kind, places[0] ?? 'everywhere in the organization'].join(', ');
}
