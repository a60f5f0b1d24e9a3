import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import { forgetPermissions, namespace } from '../../../lib/session.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/field.js';
import { useLivePeople } from '../follow.js';
import { accounts, called, members, ROLES, teams } from '../legacy.js';
import { Card, Shown } from '../list.js';
import { useMyself } from '../myself.js';
import { type Choice, Picker } from '../picker.js';
import { sure } from '../self.js';
import { type Binding, bind, bindingsOf, titlesOf, unbind } from './kinds.js';

const KINDS = [
  ['User', 'a user'],
  ['Team', 'a team'],
  ['ServiceAccount', 'a service account'],
  ['BasicRole', 'everybody with a role'],
] as const;

/** Those of a kind that are called so. */
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

const BINDINGS = ['rolebindings'] as const;

/** Who has a role, and where. */
export function Assignments({
  role,
  unavailable,
}: {
  readonly role: string;
  readonly unavailable: string | undefined;
}) {
  const kind = useSignal('User');
  const myself = useMyself().state.value.value;
  const loading = useLoad(
    async (signal) => {
      const bindings = await bindingsOf(role, signal);
      return { bindings, titles: await titlesOf(bindings, signal) };
    },
    [role, namespace.value],
  );
  useLivePeople(loading, BINDINGS);
  const changed = (): void => {
    forgetPermissions();
    loading.reload();
  };
  const take = async (binding: Binding, title: string): Promise<void> => {
    const { kind: who, name } = binding.spec?.subject ?? { kind: '', name: '' };
    const isSelf = who === 'User' && name === myself?.uid;
    if (!(await sure('Take the role away?', 'Take away', `${title} loses what it allows.`, isSelf))) return;
    await unbind(binding);
    changed();
  };
  return (
    <Card title="Who has it">
      <Shown loading={loading} rows={2}>
        {({ bindings, titles }) => (
          <>
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
                  action="Give"
                  find={(query, signal) => find(kind.value, query, signal)}
                  without={new Set(bindings.filter(isEverywhere).map(({ spec }) => spec?.subject.name ?? ''))}
                  onChoose={async ({ key }) => {
                    await bind(role, { kind: kind.value, name: key });
                    changed();
                  }}
                />
              </div>
            )}
            {bindings.length === 0 && <p class="muted">Nobody has it.</p>}
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
                      aria-label={`Take it from ${title}`}
                      onPress={() => take(binding, title)}
                    >
                      Take away
                    </Button>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </Shown>
    </Card>
  );
}

const isEverywhere = ({ spec }: Binding): boolean => spec?.scope === undefined;

function titleOf({ spec }: Binding, titles: ReadonlyMap<string, string>): string {
  const { kind, name } = spec?.subject ?? { kind: '', name: '' };
  return kind === 'BasicRole' ? `Everybody who is ${name}` : (titles.get(`${kind}/${name}`) ?? name);
}

/** What the subject is, and where it has the role. */
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
