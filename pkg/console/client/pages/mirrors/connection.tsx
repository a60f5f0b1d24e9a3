import { useSignal } from '@preact/signals';
import { call } from '../../lib/api.js';
import { wordsNow } from '../../lib/connection.js';
import { isOwnGroup, pathOf, resources } from '../../lib/discovery.js';
import { Button } from '../../ui/button.js';
import { Checks } from '../../ui/checks.js';
import { type Draft, specOf } from './draft.js';

interface Status {
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[];
  readonly version?: string;
  readonly organization?: string;
  readonly folders?: number;
  readonly moreFolders?: boolean;
  readonly writable?: boolean;
}

interface Outcome {
  /** What was tested. */
  readonly about: string;
  readonly status?: Status;
  readonly error?: unknown;
}

const LABELS: Readonly<Record<string, string>> = {
  address: 'Address',
  server: 'Server',
  credential: 'Credential',
  reading: 'Reading',
  writing: 'Writing',
};

/** Tests on request whether a mirror as it is typed could work. What was found goes when something else is typed. */
export function MirrorConnection({ draft, namespace }: { readonly draft: Draft; readonly namespace: string }) {
  const outcome = useSignal<Outcome | undefined>(undefined);
  const isAsking = useSignal(false);
  const spec = reviewOf(draft);
  const about = JSON.stringify(spec);
  const test = async (): Promise<void> => {
    isAsking.value = true;
    try {
      outcome.value = { about, status: await review(namespace, spec) };
    } catch (error) {
      outcome.value = { about, error };
    } finally {
      isAsking.value = false;
    }
  };
  const shown = outcome.value?.about === about ? outcome.value : undefined;
  return (
    <div class="stack tight">
      <div class="row">
        <Button unavailable={missing(draft)} onPress={test}>
          Test the connection
        </Button>
        <span class="muted">This server asks the other one, and changes nothing there.</span>
      </div>
      <div role="status">
        {isAsking.value && <p class="muted">The other server is asked. This takes at most some seconds.</p>}
        {!isAsking.value && shown?.error !== undefined && <p class="field-error">{wordsNow(shown.error)}</p>}
        {!isAsking.value && shown?.status !== undefined && <Result status={shown.status} />}
      </div>
    </div>
  );
}

function missing({ address, credential, secret, token }: Draft): string | undefined {
  if (address.trim() === '') return 'Type the address first.';
  if (credential === 'secret') return secret === '' ? 'Choose a Secret first.' : undefined;
  return token.trim() === '' ? 'Paste a token first.' : undefined;
}

function reviewOf(draft: Draft): object {
  const { address, organization, permissions, teams, preferences } = specOf(draft);
  const credential = draft.credential === 'token' ? { token: draft.token.trim() } : { secret: draft.secret };
  const chosen = organization === undefined ? {} : { organization };
  return { address, credential, ...chosen, permissions, teams, preferences };
}

async function review(namespace: string, spec: object): Promise<Status> {
  const resource = resources.peek().find(({ kind, group }) => kind === 'MirrorReview' && isOwnGroup(group));
  if (resource === undefined) throw new Error('This server cannot test connections.');
  return (await call<{ readonly status: Status }>('POST', pathOf(resource, namespace), { body: { spec } })).body.status;
}

function Result({ status }: { readonly status: Status }) {
  const { checks, folders, moreFolders, writable } = status;
  const isWell = checks.every(({ ok }) => ok);
  return (
    <>
      <Checks checks={checks.map((one) => ({ ...one, label: LABELS[one.name] ?? one.name }))} />
      {folders !== undefined && (
        <p>
          There {folders === 1 ? 'is' : 'are'} {moreFolders === true ? 'more than ' : ''}
          {folders.toLocaleString()} {folders === 1 ? 'folder' : 'folders'} there, and the credential{' '}
          {writable === true ? 'may' : 'may not'} write. {isWell && 'A mirror to it can work.'}
        </p>
      )}
    </>
  );
}
