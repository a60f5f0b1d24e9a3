import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { confirm } from '../../../ui/confirm.js';
import { Time } from '../../../ui/time.js';
import { tell } from '../../../ui/toasts.js';
import { read, write } from '../legacy.js';
import { Card, Shown } from '../list.js';

interface Session {
  readonly id: number;
  /** Whether it is the session of this page. */
  readonly isActive: boolean;
  readonly clientIp: string;
  readonly os: string;
  readonly browser: string;
  readonly createdAt: string;
  readonly seenAt: string;
}

interface Props {
  /** `/api/user`, or `/api/admin/users/7`. */
  readonly path: string;
  readonly title: string;
  readonly unavailable?: string | undefined;
}

/** The sessions of a user, which can be ended. */
export function Sessions({ path, title, unavailable }: Props) {
  const loading = useLoad((signal) => read<readonly Session[]>(`${path}/auth-tokens`, {}, signal), [path]);
  const end = ({ id }: Session) => write('POST', `${path}/revoke-auth-token`, { authTokenId: id });
  const endOthers = async (sessions: readonly Session[]): Promise<void> => {
    const text = 'Each of these browsers has to sign in again. The session of this page stays.';
    if (!(await confirm({ title: 'End sessions', text, action: 'Sign out', isDangerous: true }))) return;
    try {
      for (const session of sessions) await end(session);
      tell('All these sessions have ended.');
    } finally {
      loading.reload();
    }
  };
  const others = (loading.state.value.value ?? []).filter(({ isActive }) => !isActive);
  return (
    <Card
      title={title}
      action={
        others.length > 0 && (
          <Button unavailable={unavailable} onPress={() => endOthers(others)}>
            {others.length === loading.state.value.value?.length ? 'Sign out everywhere' : 'Sign out all others'}
          </Button>
        )
      }
    >
      <Shown loading={loading} rows={2}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p class="muted">No session is open.</p>
          ) : (
            <ul class="people-plain">
              {sessions.map((session) => (
                <li key={session.id}>
                  <SessionText session={session} />
                  {session.isActive ? (
                    <span class="chip ok">This session</span>
                  ) : (
                    <Button
                      unavailable={unavailable}
                      aria-label={`Sign out ${nameOf(session)}`}
                      onPress={async () => {
                        await end(session);
                        tell('The session has ended.');
                        loading.reload();
                      }}
                    >
                      Sign out
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}

const nameOf = ({ browser, os }: Session): string =>
  [browser, os].filter((text) => text !== '').join(' on ') || 'Another program';

function SessionText({ session }: { readonly session: Session }) {
  return (
    <span>
      {nameOf(session)}
      <span class="clamped people-below muted">
        {session.clientIp}, seen <Time at={session.seenAt} />, signed in <Time at={session.createdAt} />
      </span>
    </span>
  );
}
