import { me } from '../../lib/session.js';
import { Notice } from '../../ui/states.js';
import { Card, CardLevel, Shown } from '../people/list.js';
import { type Myself, useMyself } from '../people/myself.js';
import { Sessions } from '../people/users/sessions.js';
import { Organizations } from './organizations.js';
import { Password } from './password.js';
import { Preferences } from './preferences.js';
import '../people/style.css';
import { Heading } from '../../ui/heading.js';

export function AccountPage() {
  const myself = useMyself();
  return (
    <div class="page">
      <Heading>Account</Heading>
      <Shown loading={myself}>
        {(self) =>
          self === undefined ? (
            <Nobody />
          ) : (
            <CardLevel.Provider value={2}>
              <div class="people-grid">
                <Who self={self} />
                <Organizations self={self} onChange={myself.reload} />
                <Preferences />
                <Password self={self} />
                <Sessions path="/api/user" title="Where you are signed in" />
              </div>
            </CardLevel.Provider>
          )
        }
      </Shown>
    </div>
  );
}

/** For callers who are not stored users. */
function Nobody() {
  const name = me.value?.username ?? '';
  return (
    <>
      <Notice>
        <p>
          {name === 'system:anonymous'
            ? 'You use the server without an account. Sign in to have preferences, a password and sessions.'
            : `${name} is not a stored user, so there are no preferences, no password and no sessions. It signs in with each request.`}
        </p>
      </Notice>
      <CardLevel.Provider value={2}>
        <Groups />
      </CardLevel.Provider>
    </>
  );
}

function Groups() {
  return (
    <Card title="What the server knows of you">
      <dl class="facts">
        <dt>Name</dt>
        <dd class="mono">{me.value?.username}</dd>
        <dt>Groups</dt>
        <dd class="mono">{me.value?.groups.join(', ')}</dd>
      </dl>
    </Card>
  );
}

function Who({ self }: { readonly self: Myself }) {
  return (
    <Card title="Who you are">
      <dl class="facts">
        <dt>Name</dt>
        <dd dir="auto">{self.name || self.login}</dd>
        <dt>Login</dt>
        <dd dir="auto">{self.login}</dd>
        <dt>E-mail</dt>
        <dd>{self.email}</dd>
        <dt>Signs in by</dt>
        <dd>{self.authLabels.length === 0 ? 'Password' : self.authLabels.join(', ')}</dd>
        <dt>Groups</dt>
        <dd class="mono">{me.value?.groups.join(', ')}</dd>
        {self.isGrafanaAdmin && (
          <>
            <dt>Rights</dt>
            <dd>
              <span class="chip">Server administrator</span>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
