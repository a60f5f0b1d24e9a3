import type { ApiResponse, Handler } from './handler.js';

/** Resolves when all is well; rejects with the reason when it is not. */
export type Check = () => Promise<void> | void;

/** Longer than this, and a check counts as failed. */
const CHECK_TIMEOUT = 5_000;

const encoder = new TextEncoder();
const plain = (status: number, text: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: encoder.encode(text),
});

/** Runs every check; `ok` when all pass. With `?verbose` it names each. Reasons go to `onFailure`, not to the caller. */
export function healthHandler(
  name: string,
  checks: () => Readonly<Record<string, Check>>,
  onFailure: (check: string, reason: unknown) => void,
): Handler {
  return async (request) => {
    const results = await Promise.all(
      Object.entries(checks()).map(async ([check, run]) => {
        const reason = await failureOf(run);
        if (reason !== undefined) onFailure(check, reason);
        return { check, isOk: reason === undefined };
      }),
    );
    const isOk = results.every((result) => result.isOk);
    if (isOk && !request.query.has('verbose')) return plain(200, 'ok');
    const lines = results.map((result) => (result.isOk ? `[+]${result.check} ok` : `[-]${result.check} failed`));
    return plain(isOk ? 200 : 503, `${[...lines, `${name} check ${isOk ? 'passed' : 'failed'}`].join('\n')}\n`);
  };
}

async function failureOf(run: Check): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT} ms`)), CHECK_TIMEOUT);
  });
  try {
    await Promise.race([run(), tooLate]);
    return undefined;
  } catch (error) {
    return error ?? new Error('unknown');
  } finally {
    clearTimeout(timer);
  }
}
