import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { call, wordsOf } from '../../../lib/api.js';
import { objectPath, ownResource, pathOf } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { forgetPermissions, namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/field.js';
import { tell } from '../../../ui/toasts.js';
import { proposeWrite } from '../../folders/access/propose-write.js';
import { here } from '../here.js';
import { ROLE_OPTIONS, ROLES, read, write } from '../legacy.js';
import { Card, Shown } from '../list.js';
import { sure } from '../self.js';
import type { UserDetails } from './details.js';

/** What a membership takes along. */
const LOST = 'Teams and permissions there do not come back with a new membership.';

/** By the name of the account: the login finds nobody whose address is not verified. */
async function addMember(name: string, role: string): Promise<void> {
  const bindings = ownResource('iam', 'organizationbindings');
  if (bindings === undefined) return;
  const { group, version, kind } = bindings;
  const about = { apiVersion: `${group}/${version}`, kind, metadata: { name } };
  await call('POST', pathOf(bindings, namespace.value), { body: { ...about, spec: { userRef: { name }, role } } });
  forgetPermissions();
}

interface Props {
  readonly user: UserDetails;
  readonly isSelf: boolean;
  readonly onChange: () => void;
  /** Somebody was removed who is not shown to the caller any more. */
  readonly onGone: () => void;
}

/** The role of a user in the shown organization, and the other organizations. */
export function Organizations({ user, isSelf, onChange, onGone }: Props) {
  const problem = useSignal<string | undefined>(undefined);
  const bindings = ownResource('iam', 'organizationbindings');
  const change = useMay('update', bindings, { namespace: namespace.value, name: user.uid });
  const may = useMay('create', bindings, { namespace: namespace.value });
  const { role, login, id } = user;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    problem.value = undefined;
    try {
      await work();
      forgetPermissions();
      onChange();
    } catch (error) {
      problem.value = wordsOf(error);
    }
  };
  const setRole = async (next: string): Promise<void> => {
    if (bindings === undefined || role === undefined) return;
    const isLess = ROLES.indexOf(next) < ROLES.indexOf(role);
    const path = objectPath(bindings, namespace.value, user.uid);
    await attempt(async () => {
      await proposeWrite({
        request: { method: 'PATCH', path, body: { spec: { role: next } } },
        undo: ({ metadata: { resourceVersion } = {} }) => ({
          method: 'PATCH',
          path,
          body: { metadata: { resourceVersion }, spec: { role } },
        }),
        title: `Make ${login} ${next} in the organization?`,
        action: 'Change role',
        done: `${login} is ${next} now.`,
        loss: isSelf && isLess ? 'This is your own account. You may lock yourself out.' : undefined,
        where: here(),
        onDone: onChange,
      });
      // The field shows again what is stored, also if the person has changed their mind.
      onChange();
    });
  };
  const remove = async (): Promise<void> => {
    const text = `${login} no longer sees anything in the organization. ${LOST}`;
    if (!(await sure('Remove from the organization?', 'Remove', text, isSelf))) return;
    await attempt(async () => {
      await write('DELETE', `/api/org/users/${id}`);
      const again = { label: 'Add again', run: addAgain };
      tell(`${login} was removed from the organization.`, isSelf ? undefined : again);
      if (user.accessControl === undefined) onGone();
    });
  };
  const addAgain = async (): Promise<void> => {
    await addMember(user.uid, role ?? 'Viewer');
    tell(`${login} is ${role} here again.`);
    onChange();
  };
  const add = () => attempt(() => addMember(user.uid, 'Viewer'));
  return (
    <Card title="Organizations">
      {role === undefined ? (
        <>
          <p class="muted">{login} is no member of the organization that is shown.</p>
          {problem.value !== undefined && <p class="field-error">{problem.value}</p>}
          <Button unavailable={may.unavailable} onPress={add}>
            Add to the organization
          </Button>
        </>
      ) : (
        <>
          <SelectField
            label="Role in this organization"
            value={role}
            onValue={(next) => void setRole(next)}
            options={ROLE_OPTIONS}
            error={problem.value}
            hint={change.unavailable}
            disabled={change.allowed !== true}
          />
          <Link href={places.builtInRole(role)}>What does this role allow?</Link>
          <Button unavailable={change.unavailable} onPress={remove}>
            Remove from the organization
          </Button>
        </>
      )}
      {user.accessControl !== undefined && <All id={id} role={role} />}
    </Card>
  );
}

function All({ id, role }: { readonly id: number; readonly role: string | undefined }) {
  const path = `/api/users/${id}/orgs`;
  const loading = useLoad(
    (signal) => read<readonly { orgId: number; name: string; role: string }[]>(path, {}, signal),
    [path, role],
  );
  return (
    <Shown loading={loading} rows={1}>
      {(all) => (
        <ul class="people-plain" aria-label="All organizations">
          {all.map(({ orgId, name, role: there }) => (
            <li key={orgId}>
              <span dir="auto">{name}</span>
              <span class="muted">{there}</span>
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}
