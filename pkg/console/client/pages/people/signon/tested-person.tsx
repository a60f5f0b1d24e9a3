import type { TestedPerson } from './settings.js';

/** What a directory says about a login, and what a sign-in would give. */
export function FoundPerson({ ok, message, user }: TestedPerson) {
  const roles = user?.roles.filter(({ orgId }) => orgId !== 0) ?? [];
  const others = user?.roles.filter(({ orgId }) => orgId === 0) ?? [];
  return (
    <>
      <p>
        <span class={`chip ${ok ? 'ok' : 'danger'}`}>{ok ? 'Found' : 'No sign-in'}</span> {message}
      </p>
      {user !== undefined && (
        <ul class="people-plain" aria-label="What the directory says">
          <Row name="Entry" text={user.dn} />
          <Row name="Login" text={user.login.ldapValue} />
          <Row name="Name" text={`${user.name.ldapValue} ${user.surname.ldapValue}`.trim()} />
          <Row name="E-mail address" text={user.email.ldapValue} />
          {roles.map(({ orgId, orgName, orgRole, groupDN }) => (
            <Row
              key={orgId}
              name="Role"
              text={`${orgRole} in ${orgName || `organization ${orgId}, which does not exist`}, by ${groupDN}`}
            />
          ))}
          {user.isGrafanaAdmin === true && <Row name="Server" text="Administrator of the server" />}
          {others.map(({ groupDN }) => (
            <Row key={groupDN} name="Another group" text={groupDN} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <li>
      <span class="muted">{name}</span>
      <span class="grow people-host" dir="auto">
        {text || '(none)'}
      </span>
    </li>
  );
}
