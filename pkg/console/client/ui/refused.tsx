import { isAnonymous, me, signInAddress } from '../lib/session.js';
import { Button } from './button.js';
import { copy } from './copy.js';
import { Empty } from './empty.js';

interface Props {
  /** What the caller may not see, for example "this folder". */
  readonly what?: string;
  /** What they may not do with it. */
  readonly verb?: string;
  /** Why. */
  readonly why?: string;
  /** The message of the server. */
  readonly message?: string | undefined;
}

/** Says that the caller may not see something, and what they can do about it. */
export function Refused({ what = 'this', verb = 'see', why = 'It is for others than you.', message }: Props) {
  const name = me.value?.username.replace(/^user:/, '') ?? '';
  return (
    <div role="alert">
      <Empty
        title={
          isAnonymous.value
            ? verb === 'see'
              ? 'This can be seen after signing in'
              : 'This can be done after signing in'
            : `You may not ${verb} ${what}`
        }
      >
        {isAnonymous.value ? (
          <>
            <p>
              You use the server without an account. Who has one, and the right to {verb} {what}, can sign in.
            </p>
            <a class="button primary" href={signInAddress()}>
              Sign in
            </a>
          </>
        ) : (
          <>
            <p>
              {why} You are signed in as <b dir="auto">{name}</b>. An administrator can give you access: send them the
              address of this page.
            </p>
            <Button onPress={() => copy(location.href, 'The address is copied.')}>Copy the address</Button>
          </>
        )}
        {message !== undefined && (
          <details class="refused-details">
            <summary>What the server said</summary>
            <p dir="auto">{message}</p>
          </details>
        )}
      </Empty>
    </div>
  );
}
