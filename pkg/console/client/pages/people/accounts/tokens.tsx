import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { Time } from '../../../ui/time.js';
import { tell } from '../../../ui/toasts.js';
import { read, write } from '../legacy.js';
import { Card, Shown } from '../list.js';
import { sure } from '../self.js';
import { NewToken, ShownOnce } from './new-token.js';

interface Token {
  readonly id: number;
  readonly name: string;
  readonly created: string;
  readonly lastUsedAt: string | null;
  readonly expiration: string | null;
  readonly hasExpired: boolean;
  readonly isRevoked: boolean;
}

export function Tokens({ path, unavailable }: { readonly path: string; readonly unavailable: string | undefined }) {
  const loading = useLoad((signal) => read<readonly Token[]>(`${path}/tokens`, {}, signal), [path]);
  const isCreating = useSignal(false);
  const created = useSignal<string | undefined>(undefined);
  const revoke = async ({ id, name }: Token): Promise<void> => {
    if (!(await sure(`Revoke ${name}?`, 'Revoke', 'Programs that use this token are refused at once.', false))) return;
    await write('DELETE', `${path}/tokens/${id}`);
    tell('The token was revoked.');
    loading.reload();
  };
  return (
    <Card
      title="Tokens"
      action={
        <Button
          unavailable={unavailable}
          onPress={() => {
            isCreating.value = true;
          }}
        >
          New token
        </Button>
      }
    >
      <Shown loading={loading} rows={3}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p class="muted">No token yet. A program needs one to sign in.</p>
          ) : (
            <ul class="people-plain">
              {tokens.map((token) => (
                <li key={token.id}>
                  <TokenText token={token} />
                  <Button unavailable={unavailable} aria-label={`Revoke ${token.name}`} onPress={() => revoke(token)}>
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {isCreating.value && (
        <NewToken
          path={path}
          onClose={() => (isCreating.value = false)}
          onCreated={(key) => {
            created.value = key;
            loading.reload();
          }}
        />
      )}
      {created.value !== undefined && <ShownOnce token={created.value} onClose={() => (created.value = undefined)} />}
    </Card>
  );
}

function TokenText({ token: { name, lastUsedAt, expiration, hasExpired, isRevoked } }: { readonly token: Token }) {
  return (
    <span class="grow">
      <span class="clamped people-name" dir="auto">
        {name}
      </span>
      <span class="clamped people-below muted">
        {lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            Last used <Time at={lastUsedAt} />
          </>
        )}
        {', '}
        {expiration === null ? (
          'does not expire'
        ) : (
          <>
            {hasExpired ? 'expired' : 'expires'} <Time at={expiration} />
          </>
        )}
        {isRevoked && ', revoked'}
      </span>
    </span>
  );
}
