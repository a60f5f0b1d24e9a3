import { useEffect, useRef } from 'preact/hooks';
import { useLoad } from '../../../lib/load.js';
import { getIn } from '../../../lib/organization.js';
import { namespace } from '../../../lib/session.js';
import { Card, Shown } from '../list.js';
import './built-in.css';

/** A role of the server, as the API describes it. */
export interface BuiltInRole {
  readonly name: string;
  readonly on: 'organization' | 'folder' | 'dashboard' | 'serviceAccount' | 'team';
  readonly inPrivateFolders: boolean;
  readonly permissions: readonly { readonly action: string; readonly scope?: string }[];
}

/** Descriptions of the basic roles. Each member has one of them. */
const BASIC: Readonly<Record<string, string>> = {
  None: 'Sees nothing, unless a permission, a team or a custom role allows it.',
  Viewer: 'Reads folders, dashboards, annotations, library elements and alert rules.',
  Editor: 'Creates, changes and deletes these, too.',
  Admin: 'Everything in the organization: permissions, members, teams, service accounts, roles and preferences.',
};

const PLACES = [
  ['folder', 'On a folder', 'They hold in the folder and in everything that lies in it.'],
  ['dashboard', 'On a dashboard', 'They hold for this dashboard only.'],
  ['serviceAccount', 'On a service account', 'They allow to manage the account and its tokens.'],
  ['team', 'In a team', 'They are what members and administrators of a team may do with the team itself.'],
] as const;

export function useBuiltInRoles() {
  const path = '/api/access-control/built-in-roles';
  return useLoad((signal) => getIn<readonly BuiltInRole[]>(namespace.value, path, {}, signal), [namespace.value]);
}

/** What the basic roles and the levels of access allow. `opened` is the role that is shown at first. */
export function BuiltInRoles({ opened }: { readonly opened: string }) {
  const loading = useBuiltInRoles();
  return (
    <>
      <Card title="Roles of the server">
        <p class="muted">Each member of the organization has one of them. They cannot be changed.</p>
        <Shown loading={loading} rows={4}>
          {(roles) => <RoleList roles={roles.filter(({ on }) => on === 'organization')} opened={opened} />}
        </Shown>
      </Card>
      <Card title="Levels of access">
        <Shown loading={loading} rows={8}>
          {(roles) => (
            <div class="built-in-places">
              {PLACES.map(([place, title, text]) => (
                <section key={place} class="stack tight" aria-label={title}>
                  <h3>{title}</h3>
                  <p class="muted">{text}</p>
                  <RoleList roles={roles.filter(({ on }) => on === place)} />
                </section>
              ))}
            </div>
          )}
        </Shown>
      </Card>
    </>
  );
}

/** What the levels of access to a folder or a dashboard allow. */
export function LevelsOn({ place }: { readonly place: 'folder' | 'dashboard' }) {
  const loading = useBuiltInRoles();
  return (
    <details class="built-in-levels">
      <summary>What do the levels allow?</summary>
      <Shown loading={loading} rows={3}>
        {(roles) => <RoleList roles={roles.filter(({ on }) => on === place)} />}
      </Shown>
    </details>
  );
}

function RoleList({ roles, opened = '' }: { readonly roles: readonly BuiltInRole[]; readonly opened?: string }) {
  return (
    <ul class="built-in">
      {roles.map((role) => (
        <li key={role.name}>
          <RoleDetails role={role} isOpen={role.name === opened} />
        </li>
      ))}
    </ul>
  );
}

function RoleDetails({ role, isOpen }: { readonly role: BuiltInRole; readonly isOpen: boolean }) {
  const { name, on, inPrivateFolders } = role;
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isOpen) element.current?.scrollIntoView({ block: 'center' });
  }, [isOpen]);
  const groups = grouped(role);
  return (
    <details ref={element} open={isOpen}>
      <summary>
        <strong>{name}</strong> {on === 'organization' && <span class="muted">{BASIC[name]}</span>}
      </summary>
      {!inPrivateFolders && <p class="muted">It does not hold in private folders.</p>}
      <table class="table built-in-table">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ thing, scope, verbs }) => (
            <tr key={`${thing} ${scope}`}>
              <td class="mono">
                {thing}
                {scope !== '' && <span class="built-in-scope muted">on {scope}</span>}
              </td>
              <td>{verbs.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface Group {
  readonly thing: string;
  readonly scope: string;
  readonly verbs: readonly string[];
}

/** The actions by resource: `folders:read` and `folders:write` become `read, write` of `folders`. */
export function grouped({ permissions }: Pick<BuiltInRole, 'permissions'>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { action, scope = '' } of permissions) {
    const at = action.lastIndexOf(':');
    const [thing, verb] = [action.slice(0, at), action.slice(at + 1)];
    const key = `${thing} ${scope}`;
    const verbs = [...(groups.get(key)?.verbs ?? []), verb];
    groups.set(key, { thing, scope, verbs });
  }
  return [...groups.values()];
}
